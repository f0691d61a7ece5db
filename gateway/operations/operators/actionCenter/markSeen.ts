import { siblingId } from '../../../../spec/core/ids.ts'
import { itemKindNames } from '../../../../spec/operators/actionCenter/items.ts'
import {
  actionCenterSeenChanged,
  markActionCenterItemsSeen,
  markAllActionCenterItemsSeen,
} from '../../../../spec/operators/actionCenter/seenMarks.ts'
import { ensureMarks } from '../../core/ensureMarks.ts'
import { requireUserId } from '../../core/requireUserId.ts'
import { handle } from '../../handler.ts'
import type { RequestContext } from '../../requestContext.ts'
import { findItems } from './find.ts'
import type { Item } from './items.ts'
import { countUnseen, itemIdOf, readSeen } from './seenItems.ts'

const what = 'The marks of seen items'
/** Each change is a transition, so this is only for hints that were lost. */
const lookAgainMs = 600_000

/** Marks the current items that `isChosen` accepts. The marks of items that are gone are removed with the same message. */
async function markSeen(
  isChosen: (item: Item) => boolean,
  { principal, views, now }: Pick<RequestContext, 'principal' | 'views' | 'now'>,
) {
  const userId = requireUserId(principal, what)
  const [{ items }, seen] = await Promise.all([findItems(itemKindNames, views, now), readSeen(userId, views)])
  const current = new Set(items.map(itemIdOf))
  const itemIds = items
    .filter(isChosen)
    .map(itemIdOf)
    .filter((id) => !seen.has(id))
  const goneItemIds = [...seen].filter((id) => !current.has(id))
  const event = { type: 'see', itemIds, goneItemIds }
  const changes = itemIds.length + goneItemIds.length > 0
  return {
    messages: changes ? await ensureMarks('seenMarks', userId, event, { views, now }) : [],
    answer: async () => ({ unseenCount: countUnseen(items, await readSeen(userId, views)) }),
  }
}

export const seenMarkHandlers = [
  handle(markActionCenterItemsSeen, ['views'], {
    translate: async ({ itemIds }, context) => {
      const chosen = new Set(itemIds)
      return await markSeen((item) => chosen.has(itemIdOf(item)), context)
    },
  }),
  handle(markAllActionCenterItemsSeen, ['views'], {
    translate: async ({ kinds }, context) => {
      const chosen = new Set(kinds ?? itemKindNames)
      return await markSeen(({ kind }) => chosen.has(kind), context)
    },
  }),
  handle(actionCenterSeenChanged, [], {
    follow: (_input, { principal }) => {
      const id = siblingId('seenMarks', requireUserId(principal, what))
      return {
        type: 'watched',
        name: `seen items ${id}`,
        kinds: ['seenMarks'],
        everyMs: lookAgainMs,
        read: async ({ views }) => ({ revision: (await views.get('seenMarks', id))?.seq ?? 0 }),
      }
    },
    payload: (item) => (item.type === 'value' ? (item.value as { readonly revision: number }) : undefined),
  }),
] as const
