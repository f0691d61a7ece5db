/** A machine for the tests of the gateway: its title can change, it can have a parent, and it can be finished. */
import { assign, setup } from 'xstate'
import { define, type MachineContext, typesOf } from '../../../machines/framework/define.ts'

interface ThingContext extends MachineContext {
  readonly title: string
}

type ThingEvent = { type: 'rename'; at: number; title: string } | { type: 'finish'; at: number }

const machine = setup({
  types: typesOf<ThingContext, ThingEvent>(),
}).createMachine({
  id: 'thing',
  context: ({ input }) => ({ init: input.init, title: String(input.init.title) }),
  initial: 'LIVE',
  states: {
    LIVE: {
      meta: { label: 'Live', unbounded: 'a test' },
      on: {
        rename: { actions: assign({ title: ({ event }) => event.title }) },
        finish: 'FINISHED',
      },
    },
    FINISHED: { tags: 'terminal', meta: { label: 'Finished' } },
  },
})

export const thing = define({
  kind: 'plan',
  version: 1,
  machine,
  effects: [],
  columns: ({ context }) => ({
    scopeId: typeof context.init.parentId === 'string' ? context.init.parentId : undefined,
  }),
  operable: true,
})
