import type * as v from 'valibot'
import type { TypedRow } from '../../../../machines/rows.ts'
import type { Json } from '../../../../spec/core/actor.ts'
import { toDateTime } from '../../../../spec/core/types.ts'
import {
  type attachmentStatus,
  readAttachmentIds,
  runAttachmentSchema,
  type storedAttachment,
} from '../../../../spec/runs/attachments.ts'
import type { ObjectType } from '../../objectType.ts'
import type { TypedViews } from '../../typedViews.ts'

export type AttachmentRow = TypedRow<'runAttachment'>

export const runAttachmentType: ObjectType<'runAttachment', typeof runAttachmentSchema> = {
  name: 'RunAttachment',
  kind: 'runAttachment',
  schema: runAttachmentSchema,
  relations: {
    run: {
      type: 'one',
      target: 'Run',
      by: 'runId',
      nullable: true,
      description: 'The run that it was attached to first. A retry of the run uses it too.',
    },
  },
  fromRow: ({ id, init, context, columns, createdAt }) => ({
    id,
    status: columns.status as v.InferOutput<typeof attachmentStatus>,
    name: init.name,
    contentType: init.contentType,
    size: context.file?.size ?? null,
    sha256: context.file?.sha256 ?? null,
    runId: context.runId,
    createdAt: toDateTime(createdAt),
  }),
}

/** Whether its bytes can be read. */
export function isStored({ columns }: AttachmentRow): boolean {
  return columns.status === 'UNATTACHED' || columns.status === 'ATTACHED'
}

/** @throws Error if its bytes have not arrived */
export function toStored({ id, init, context }: AttachmentRow): v.InferInput<typeof storedAttachment> {
  if (context.file === null) throw new Error(`the bytes of ${id} have not arrived`)
  const { size, sha256 } = context.file
  return { id, name: init.name, size, contentType: init.contentType, sha256 }
}

/** The attachments of a run, in the order of the request. Removed ones are left out. */
export async function loadAttachments(
  run: { readonly init: { readonly spec: Json } },
  views: Pick<TypedViews, 'getMany'>,
): Promise<readonly AttachmentRow[]> {
  const ids = readAttachmentIds(run.init.spec)
  if (ids.length === 0) return []
  const rows = await views.getMany('runAttachment', ids)
  return ids.flatMap((id) => rows.get(id) ?? []).filter(isStored)
}
