/** dSYMs: the debug symbols of a build's binaries. */
import * as v from 'valibot'
import { idempotencyKey } from '../agents/enrollments.ts'
import { connectionOf, orderByOf, pageArguments } from '../core/connections.ts'
import { oneById } from '../core/oneById.ts'
import { mutation, query } from '../core/operation.ts'
import { dateTime, id, idOf, int, named, text } from '../core/types.ts'
import { imageFields, imagesMax } from './binaryImages.ts'
import { buildFilter } from './buildFilter.ts'
import { bundleIdentifier } from './bundleIdentifier.ts'

export const status = named('DsymStatus', 'Whether a dSYM is there.', v.picklist(['AVAILABLE', 'DELETED']))

export const dsymSchema = named(
  'Dsym',
  'The debug symbols of a build’s binaries.',
  v.object({
    id,
    status,
    appId: id,
    version: v.string(),
    build: v.string(),
    imageCount: int,
    createdAt: dateTime,
  }),
)

export const dsym = query({
  ...oneById('dsym', dsymSchema),
  tool: {
    group: 'apps',
    name: 'get_dsym',
    title: 'Get a dSYM',
    description:
      'One dSYM by its ID (`dsy_…`): of which build it is, and the images whose symbols it has, each with name, UUID and architecture.',
  },
})

export const dsyms = query({
  name: 'dsyms',
  description: 'The dSYMs that were not deleted, newest first.',
  access: 'people',
  tool: {
    group: 'apps',
    name: 'get_dsyms',
    title: 'List dSYMs',
    description:
      'Lists the dSYMs that are there, newest first. Filter by `appId`, and with it by `version` and `build`; go on with ' +
      '`after: pageInfo.endCursor`. See `get_dsym` for the UUIDs of one.',
  },
  input: v.object({ ...pageArguments, orderBy: orderByOf('Dsym', ['CREATED_AT']), ...buildFilter }),
  output: connectionOf('Dsym', dsymSchema),
})

const payload = (typeName: string) => named(typeName, 'The dSYM after the change.', v.object({ dsym: dsymSchema }))

export const recordDsym = mutation({
  name: 'recordDsym',
  description:
    'Records the images of a dSYM. Crash reports that want one of them hear of it. Where there is one with the same UUIDs, that is the answer.',
  access: 'people',
  tool: {
    group: 'apps',
    title: 'Record a dSYM',
    description:
      'Records which images (name, UUID, architecture) a build’s dSYM has the symbols of, as `dwarfdump --uuid` prints them. Crash ' +
      'reports that miss one of the UUIDs hear of it. One with the same UUIDs is recorded once. The app must exist: `create_app`.',
    idempotent: true,
  },
  input: v.object({
    bundleIdentifier,
    version: v.pipe(text({ min: 1, max: 100 }), v.description('Of the app: `2.4.1`.')),
    build: v.pipe(text({ min: 1, max: 100 }), v.description('Of that version: `241`.')),
    images: v.pipe(
      v.array(named('DsymImageInput', 'A binary whose symbols it has.', v.object(imageFields))),
      v.minLength(1),
      v.maxLength(imagesMax),
      v.description('Each with the UUID that crash reports name it by.'),
    ),
    idempotencyKey,
  }),
  output: payload('RecordDsymPayload'),
})

export const deleteDsym = mutation({
  name: 'deleteDsym',
  description:
    'Deletes a dSYM. Crash reports that are not symbolicated miss its images again, where no other has them.',
  access: 'people',
  tool: {
    group: 'apps',
    title: 'Delete a dSYM',
    description:
      'Deletes a dSYM for good. Crash reports that are not symbolicated yet miss its images again, where no other dSYM has them.',
    destroys: true,
    idempotent: true,
  },
  input: v.object({ dsymId: idOf('dsym') }),
  output: payload('DeleteDsymPayload'),
})
