import type * as v from 'valibot'
import type { TypedRow } from '../../../machines/rows.ts'
import { imageSchema, imagesMax } from '../../../spec/apps/binaryImages.ts'
import { deleteDsym, dsym, dsymSchema, type dsymStatus, dsyms, recordDsym } from '../../../spec/apps/dsyms.ts'
import { principalName } from '../../../spec/core/principal.ts'
import { atMost, toDateTime } from '../../../spec/core/types.ts'
import { pageOfRows } from '../core/connections.ts'
import { oneRow } from '../core/oneRow.ts'
import { oneMessage, rowAt } from '../core/replies.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { Additions, ObjectType } from '../objectType.ts'
import { distinctImages, keyOfImages } from './binaryImages.ts'
import { filterOfBuild } from './buildFilter.ts'
import { claimOf, requireApp } from './bundleIdentifier.ts'

const images = {
  type: 'derived',
  output: atMost(imagesMax, imageSchema),
  nullable: false,
  description: 'The binaries whose symbols the dSYM has.',
  load: async (parents, { views }) => {
    const ids = parents.map((parent) => String(parent.id))
    const rows = await views.getMany('dsym', ids)
    return ids.map((id) => rows.get(id)?.init.images ?? [])
  },
} as const satisfies Additions[string]

/** The name of its bundle, or that of its first image. */
export function nameOfDsym({ name, images: [first] }: TypedRow<'dsym'>['init']): string {
  return name ?? first?.name ?? 'dSYM'
}

export const dsymType: ObjectType<'dsym', typeof dsymSchema> = {
  name: 'Dsym',
  kind: 'dsym',
  schema: dsymSchema,
  relations: {
    app: {
      type: 'one',
      target: 'App',
      by: 'appId',
      nullable: true,
      description: 'The app whose build the dSYM belongs to. Null for a framework or a library whose app is not known.',
    },
    images,
  },
  fromRow: (row) => {
    const { appId, bundleIdentifier = null, version, build, images } = row.init
    return {
      id: row.id,
      status: row.columns.status as v.InferOutput<typeof dsymStatus>,
      appId,
      name: nameOfDsym(row.init),
      bundleIdentifier,
      version,
      build,
      imageCount: images.length,
      createdAt: toDateTime(row.createdAt),
    }
  },
}

export const dsymHandlers = [
  handle(dsym, ['views', 'presence'], {
    additions: { images },
    read: oneRow(dsymType),
  }),
  handle(dsyms, ['views', 'presence'], {
    read: async ({ appId, version, build, ...page }, context) =>
      await pageOfRows(
        context.views,
        { kind: 'dsym', terminal: false, ...filterOfBuild({ appId, version, build }) },
        page,
        (row) => dsymType.fromRow(row, context),
      ),
  }),
  handle(recordDsym, ['views', 'presence', 'ids'], {
    translate: async ({ bundleIdentifier: own, version, build, ...input }, context) => {
      const { views, now, principal } = context
      const app = await requireApp(own, views)
      const images = distinctImages(input.images)
      const key = await keyOfImages(images)
      const known = await views.findByKey('dsym', key)
      if (known !== undefined) return { messages: [], answer: () => ({ dsym: dsymType.fromRow(known, context) }) }
      const recordedBy = principalName(principal)
      const create = { appId: app.id, version, build, images, key, recordedBy, createdAt: now }
      const to = { kind: 'dsym', id: context.ids.newId('dsym') } as const
      return {
        messages: [{ to, event: { type: 'create' }, create, orExisting: { uniqueKey: key } }, claimOf(app)],
        answer: (replies) => ({ dsym: dsymType.fromRow(rowAt('dsym', replies), context) }),
      }
    },
  }),
  handle(deleteDsym, ['views', 'presence'], {
    translate: async ({ dsymId }, context) => {
      await requireRow(context.views, 'dsym', dsymId)
      return oneMessage({ to: { kind: 'dsym', id: dsymId }, event: { type: 'delete' } }, (row) => ({
        dsym: dsymType.fromRow(row, context),
      }))
    },
  }),
]
