import { dsymUploadMembers } from '../../../../machines/apps/dsymUploadKeys.ts'
import { everyRow } from '../../core/everyRow.ts'
import { everyMember } from '../../core/members.ts'
import type { TypedViews } from '../../typedViews.ts'

/** The IDs of the dSYMs of an upload, in the order of the zip. */
export async function dsymIdsOf(uploadId: string, views: Pick<TypedViews, 'members'>): Promise<readonly string[]> {
  const members = await views.members(uploadId, dsymUploadMembers.dsym.prefix, everyMember)
  return members.map(({ value }) => String(value))
}

/** The IDs of the dSYMs of an upload that may be a duplicate. A duplicate of an earlier version has those of its original. */
export async function dsymIdsOfDuplicate(
  { id, duplicateOf }: { readonly id: string; readonly duplicateOf: string | null },
  views: Pick<TypedViews, 'members'>,
): Promise<readonly string[]> {
  const own = await dsymIdsOf(id, views)
  return own.length === 0 && duplicateOf !== null ? await dsymIdsOf(duplicateOf, views) : own
}

/**
 * Finds an upload that has indexed a zip with this checksum. If one of its dSYMs was deleted since then, the upload does not count, and the zip
 * is indexed again.
 */
export async function findIndexed(
  sha256: string,
  views: Pick<TypedViews, 'list' | 'members' | 'getMany'>,
): Promise<{ readonly id: string; readonly dsymIds: readonly string[] } | undefined> {
  for (const upload of await everyRow(views, {
    kind: 'dsymUpload',
    statuses: ['INDEXED'],
    where: { scopeId: sha256 },
  })) {
    const dsymIds = await dsymIdsOf(upload.id, views)
    const rows = await views.getMany('dsym', dsymIds)
    if (dsymIds.every((id) => rows.get(id)?.columns.status === 'AVAILABLE')) return { id: upload.id, dsymIds }
  }
  return undefined
}
