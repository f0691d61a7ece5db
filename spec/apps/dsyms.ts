/** dSYMs: the debug symbols of a build's binaries. */
import * as v from 'valibot'
import { connectionOf, orderByOf, pageArguments } from '../core/connections.ts'
import { idempotencyKey } from '../core/idempotencyKey.ts'
import { oneById } from '../core/oneById.ts'
import { mutation, query } from '../core/operation.ts'
import { dateTime, id, idOf, int, named, text } from '../core/types.ts'
import { imageFields, imagesMax } from './binaryImages.ts'
import { buildFilter } from './buildFilter.ts'
import { bundleIdentifier } from './bundleIdentifier.ts'

export const dsymStatus = named('DsymStatus', 'The status of a dSYM.', v.picklist(['AVAILABLE', 'DELETED']))

export const dsymSchema = named(
  'Dsym',
  'The debug symbols of the binaries of one build.',
  v.object({
    id,
    status: dsymStatus,
    appId: v.nullable(id),
    name: v.pipe(v.string(), v.description('The name of the bundle, such as `Shop.app`, or of its first image.')),
    bundleIdentifier: v.pipe(
      v.nullable(v.string()),
      v.description('The bundle identifier of the binary. Null if the dSYM was recorded without one.'),
    ),
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
      'Returns one dSYM by its ID (`dsy_…`): its app and build, and the images whose symbols it has, each with name, UUID and architecture.',
  },
})

export const dsyms = query({
  name: 'dsyms',
  description: 'Returns the dSYMs that were not deleted, newest first.',
  access: 'people',
  tool: {
    group: 'apps',
    name: 'get_dsyms',
    title: 'List dSYMs',
    description:
      'Lists the dSYMs that were not deleted, newest first. Filter by `appId`, and also by `version` and `build` if you give ' +
      '`appId`. `after: pageInfo.endCursor` continues the list. `get_dsym` returns the UUIDs of one dSYM.',
  },
  input: v.object({ ...pageArguments, orderBy: orderByOf('Dsym', ['CREATED_AT']), ...buildFilter }),
  output: connectionOf('Dsym', dsymSchema),
})

const payload = (typeName: string) => named(typeName, 'The dSYM after the change.', v.object({ dsym: dsymSchema }))

export const recordDsym = mutation({
  name: 'recordDsym',
  description:
    'Records the images of a dSYM and notifies the crash reports that need one of them. If a dSYM with the same UUIDs exists, it is returned.',
  access: 'people',
  tool: {
    group: 'apps',
    title: 'Record a dSYM',
    description:
      'Records the images (name, UUID, architecture) whose symbols a build’s dSYM has, as `dwarfdump --uuid` prints them. ' +
      'Crash reports that need one of the UUIDs are notified. If a dSYM with the same UUIDs exists, it is returned. The app ' +
      'must exist: `create_app`.',
    idempotent: true,
  },
  input: v.object({
    bundleIdentifier,
    version: v.pipe(text({ min: 1, max: 100 }), v.description('The version of the app, for example `2.4.1`.')),
    build: v.pipe(text({ min: 1, max: 100 }), v.description('The build number, for example `241`.')),
    images: v.pipe(
      v.array(named('DsymImageInput', 'A binary whose symbols the dSYM has.', v.object(imageFields))),
      v.minLength(1),
      v.maxLength(imagesMax),
      v.description('The binaries whose symbols the dSYM has, each with the UUID that crash reports name.'),
    ),
    idempotencyKey,
  }),
  output: payload('RecordDsymPayload'),
})

export const deleteDsym = mutation({
  name: 'deleteDsym',
  description:
    'Deletes a dSYM. If no other dSYM has one of its images, crash reports lack that image again, and lose the names that came from it.',
  access: 'people',
  tool: {
    group: 'apps',
    title: 'Delete a dSYM',
    description:
      'Deletes a dSYM permanently. If no other dSYM has one of its images, crash reports lack that image again, and lose the names that came from it.',
    destroys: true,
    idempotent: true,
  },
  input: v.object({ dsymId: idOf('dsym') }),
  output: payload('DeleteDsymPayload'),
})
