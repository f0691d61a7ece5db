/** Which items of the Action Center a user has seen. */
import { createHash } from 'node:crypto'
import { seenMarkMembers } from '../../../../machines/operators/seenMarkKeys.ts'
import { siblingId } from '../../../../spec/core/ids.ts'
import { everyMember } from '../../core/members.ts'
import type { TypedViews } from '../../typedViews.ts'
import type { Item } from './items.ts'

/** An item is the same as long as its kind, its actor and its cause are the same. The cause is a digest, because it can have any length. */
export function itemIdOf({ kind, row, cause }: Item): string {
  return `${kind}:${row.id}:${createHash('sha256').update(cause).digest('base64url').slice(0, 16)}`
}

/** The IDs of the items that the user has marked, those that are gone included. */
export async function readSeen(userId: string, views: TypedViews): Promise<ReadonlySet<string>> {
  if (userId === '') return new Set()
  const marks = await views.members(siblingId('seenMarks', userId), seenMarkMembers.prefix, everyMember)
  return new Set(marks.map(({ key }) => seenMarkMembers.toId(key)))
}

export function countUnseen(items: readonly Item[], seen: ReadonlySet<string>): number {
  return items.filter((item) => !seen.has(itemIdOf(item))).length
}
