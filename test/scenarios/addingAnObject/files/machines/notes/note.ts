/** A note. It can be renamed until it is deleted. */
import { setup } from 'xstate'
import { actOn } from '../framework/act.ts'
import { define, type MachineContext, typesOf } from '../framework/define.ts'

export type NoteInit = { readonly name: string; readonly createdBy: string; readonly createdAt: number }

export interface NoteContext extends MachineContext {
  readonly init: NoteInit
  readonly name: string
}

export type NoteEvent = { type: 'rename'; at: number; name: string } | { type: 'delete'; at: number }

const on = actOn<NoteContext, NoteEvent>()

const machine = setup({
  types: typesOf<NoteContext, NoteEvent>(),
  actions: { rename: on('rename', (_, { name }) => ({ set: { name } })) },
}).createMachine({
  id: 'note',
  context: ({ input: { init } }) => ({ init, name: init.name }),
  initial: 'OPEN',
  states: {
    OPEN: {
      meta: { label: 'Open', unbounded: 'a user deletes it' },
      on: { rename: { actions: 'rename' }, delete: 'DELETED' },
    },
    DELETED: { tags: 'terminal', meta: { label: 'Deleted' } },
  },
})

export const note = define({
  kind: 'note',
  version: 1,
  machine,
  effects: [],
  search: ({ value, context: { name } }) => (value === 'DELETED' ? undefined : { title: name, text: '' }),
  repeats: ({ value, context }, event) =>
    event.type === 'rename' ? event.name === context.name : event.type === 'delete' && value === 'DELETED',
  operable: true,
  operatorEvents: { delete: { label: 'Delete note' } },
})
