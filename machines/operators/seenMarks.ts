/**
 * The items of the Action Center that one user has seen: one member for each. Only the user reads and changes it. Its ID is that of the user
 * with another prefix. The ID of an item changes with its cause, so the mark of an earlier cause has no effect.
 */
import { setup } from 'xstate'
import { actOn } from '../framework/act.ts'
import { define, type MachineContext, typesOf } from '../framework/define.ts'
import { Members } from '../framework/members.ts'
import { seenMarkMembers } from './seenMarkKeys.ts'

export type SeenMarksInit = { readonly userId: string; readonly createdAt: number }

export interface SeenMarksContext extends MachineContext {
  readonly init: SeenMarksInit
  readonly members: Members
}

/** `goneItemIds`: marks whose items are gone, which are removed. */
export type SeenMarksEvent = {
  type: 'see'
  at: number
  itemIds: readonly string[]
  goneItemIds: readonly string[]
}

const on = actOn<SeenMarksContext, SeenMarksEvent>()
const { toKey } = seenMarkMembers

const machine = setup({
  types: typesOf<SeenMarksContext, SeenMarksEvent>(),
  actions: {
    see: on('see', ({ members }, { itemIds, goneItemIds }) => ({
      set: { members: members.withoutAll(goneItemIds.map(toKey)).withAll(itemIds.map((id) => [toKey(id), true])) },
    })),
  },
}).createMachine({
  id: 'seenMarks',
  context: ({ input: { init } }) => ({ init, members: Members.empty }),
  initial: 'OPEN',
  states: {
    OPEN: {
      meta: { label: 'Open', waitsFor: 'its user to see items', unbounded: 'the marks of a user have no end' },
      on: { see: { actions: 'see' } },
    },
  },
})

export const seenMarks = define({
  kind: 'seenMarks',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ context: { init } }) => ({ scopeId: init.userId }),
  repeats: ({ context: { members } }, { itemIds, goneItemIds }) =>
    itemIds.every((id) => members.has(toKey(id))) && !goneItemIds.some((id) => members.has(toKey(id))),
  operable: false,
})
