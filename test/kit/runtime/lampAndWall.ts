/** Two small machines for tests of the runtime: one with every feature of the runtime, and one that receives its tells. */
import { assign, setup } from 'xstate'
import { define, type MachineContext, type Tell, typesOf } from '../../../machines/framework/define.ts'
import { Members } from '../../../machines/framework/members.ts'
import { Failure } from '../../../spec/core/failure.ts'

/** The kinds of the small machines, with the prefixes of their IDs. */
export const lampPrefixes = Object.freeze({ lamp: 'lmp', wall: 'wal' })

export type LampKind = keyof typeof lampPrefixes

export const offAfterMs = 60_000

interface LampContext extends MachineContext {
  readonly members: Members
  readonly presses: number
  readonly refusal: string | null
  readonly incidents: number
}

type LampEvent =
  | { type: 'press'; at: number }
  | { type: 'hold'; at: number }
  | { type: 'note'; at: number; key: string; value: string | null }
  | { type: 'rename'; at: number; name: string }
  | { type: 'tell'; at: number; to: string; word: string }
  | { type: 'build'; at: number; to: string; name: string }
  | { type: 'ring'; at: number }
  | { type: 'rung'; at: number; tone: string }
  | { type: 'refused'; at: number; code: string; echo?: string }
  | { type: 'effectFailed'; at: number; effectId: string }
  | { type: 'smash'; at: number }
  | { type: 'explode'; at: number }

const lampMachine = (wallKind: string) =>
  setup({
    types: typesOf<LampContext, LampEvent>(),
    // Named so that they can be used: the runtime carries effects out, never the machine.
    actions: { tell: (_, _tell: Tell<string>) => {}, ring: (_, _ring: { tone: string }) => {} },
  }).createMachine({
    id: 'lamp',
    context: ({ input }) => ({ init: input.init, members: Members.empty, presses: 0, refusal: null, incidents: 0 }),
    initial: 'off',
    on: {
      note: {
        actions: assign({
          members: ({ context, event }) =>
            event.value === null ? context.members.without(event.key) : context.members.with(event.key, event.value),
        }),
      },
      rename: { actions: assign({ name: ({ event }) => event.name }) },
      tell: {
        actions: {
          type: 'tell',
          params: ({ event }) => ({
            to: { kind: wallKind, id: event.to },
            event: { type: 'say', word: event.word },
            echo: event.word,
          }),
        },
      },
      build: {
        actions: {
          type: 'tell',
          params: ({ event }) => ({
            to: { kind: wallKind, id: event.to },
            event: { type: 'create' },
            create: { name: event.name },
            echo: event.name,
          }),
        },
      },
      ring: { actions: { type: 'ring', params: { tone: 'c' } } },
      rung: { actions: assign({ tone: ({ event }) => event.tone }) },
      refused: { actions: assign({ refusal: ({ event }) => `${event.code} ${event.echo ?? ''}` }) },
      effectFailed: { actions: assign({ incidents: ({ context }) => context.incidents + 1 }) },
      explode: {
        actions: assign(() => {
          throw new Error('a defect of the machine')
        }),
      },
      smash: '.smashed',
    },
    states: {
      off: {
        meta: { label: 'Off', unbounded: 'a person who needs light' },
        on: { press: { target: 'on', actions: assign({ presses: ({ context }) => context.presses + 1 }) } },
      },
      on: {
        meta: { label: 'On' },
        after: { [offAfterMs]: 'off' },
        on: { press: 'off', hold: { target: 'on', reenter: true } },
      },
      smashed: { tags: ['terminal'], meta: { label: 'Smashed' } },
    },
  })

const makeLamp = <K extends string>(kind: K, wallKind: string) =>
  define({
    kind,
    version: 1,
    machine: lampMachine(wallKind),
    effects: ['ring'],
    operable: true,
    columns: ({ context }) => ({ uniqueKey: typeof context.name === 'string' ? context.name : undefined }),
    refuse: ({ context }, event) =>
      event.type === 'press' && context.presses === 100 ? new Failure('CONFLICT', 'The lamp is worn out.') : undefined,
    repeats: ({ value }, event) => event.type === 'smash' && value === 'smashed',
  })

interface WallContext extends MachineContext {
  readonly words: number
  readonly last: string | null
}

const wallMachine = setup({
  types: typesOf<WallContext, { type: 'say'; at: number; word: string } | { type: 'fall'; at: number }>(),
}).createMachine({
  id: 'wall',
  context: ({ input }) => ({ init: input.init, words: 0, last: null }),
  initial: 'standing',
  states: {
    standing: {
      meta: { label: 'Standing', unbounded: 'nobody' },
      on: {
        say: { actions: assign({ words: ({ context }) => context.words + 1, last: ({ event }) => event.word }) },
        fall: 'fallen',
      },
    },
    fallen: { tags: ['terminal'], meta: { label: 'Fallen' } },
  },
})

const makeWall = <K extends string>(kind: K) =>
  define({
    kind,
    version: 1,
    machine: wallMachine,
    effects: [],
    operable: true,
    // Its name, if it has one, is unique until it has fallen.
    columns: ({ value, context }) => {
      const { name } = context.init
      return { uniqueKey: typeof name === 'string' && value === 'standing' ? name : undefined }
    },
  })

export const lamp = makeLamp('lamp', 'wall')
export const wall = makeWall('wall')

/** The same machines under kinds of the product. Storage, searches and the operations of the gateway only accept those. */
export const storedLamp = makeLamp('plan', 'session')
export const storedWall = makeWall('session')
