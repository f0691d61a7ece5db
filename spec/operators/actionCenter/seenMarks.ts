/** The items of the Action Center that a user has seen. They stay in the list, and are unseen again when their cause changes. */
import * as v from 'valibot'
import { mutation, subscription } from '../../core/operation.ts'
import { int, named } from '../../core/types.ts'
import { itemKindNames } from './items.ts'
import { itemKind, unseenCount } from './operations.ts'

const itemsMax = 100
const payload = (typeName: string) => named(typeName, 'The number of items that are left.', v.object({ unseenCount }))

const itemId = v.pipe(
  v.string(),
  v.regex(/^[A-Z_]{1,40}:[a-z]{2,8}_[0-9a-z]{26}:[\w-]{16}$/, 'must be the `id` of an item of `actionCenter`'),
  v.metadata({ scalar: 'ID' }),
)

export const markActionCenterItemsSeen = mutation({
  name: 'markActionCenterItemsSeen',
  description:
    'Marks items of the Action Center as seen for the caller. They stay in the list. An item that is gone, or whose cause has changed, is ignored.',
  access: 'people',
  tool: {
    group: 'discovery',
    title: 'Mark items as seen',
    description:
      'Marks items of `get_action_center` as seen for the calling user, by their `id`. They stay in the list, with `isSeen: true`, until ' +
      'their cause changes: a run asks another question, an agent is lost again. It resolves nothing.',
    idempotent: true,
  },
  input: v.object({
    itemIds: v.pipe(
      v.array(itemId),
      v.minLength(1, 'must have at least one ID'),
      v.maxLength(itemsMax, `must have at most ${itemsMax}`),
      v.description(`The \`id\` of 1 to ${itemsMax} items.`),
    ),
  }),
  output: payload('MarkActionCenterItemsSeenPayload'),
})

export const markAllActionCenterItemsSeen = mutation({
  name: 'markAllActionCenterItemsSeen',
  description: 'Marks all current items of the Action Center as seen for the caller, or all of some kinds.',
  access: 'people',
  tool: {
    group: 'discovery',
    title: 'Mark all items as seen',
    description:
      'Marks all current items of `get_action_center` as seen for the calling user, or all of some kinds. They stay in the list. It resolves nothing.',
    idempotent: true,
  },
  input: v.object({
    kinds: v.pipe(
      v.nullish(
        v.pipe(v.array(itemKind), v.minLength(1, 'must have at least one kind'), v.maxLength(itemKindNames.length)),
      ),
      v.description('Only items of these kinds. Default: all kinds.'),
    ),
  }),
  output: payload('MarkAllActionCenterItemsSeenPayload'),
})

export const actionCenterSeenChanged = subscription({
  name: 'actionCenterSeenChanged',
  description:
    'Sends a number that grows with each change of the items that the caller has marked as seen: the current number first, and then within ' +
    'a few seconds after each mark by any of the caller’s clients. Read `actionCenter` again after each.',
  access: 'people',
  input: undefined,
  output: named(
    'ActionCenterSeenChange',
    'The state of the marks of the caller.',
    v.object({ revision: v.pipe(int, v.description('0 before the first mark.')) }),
  ),
})
