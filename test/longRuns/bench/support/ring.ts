/**
 * The machine of the transitions bench. It has the shape of a run (twelve states in a region, a deadline in some, eight keys of
 * context) and never ends, so that each message is one durable transition.
 */
import { assign, setup } from 'xstate'
import { define, type MachineContext, typesOf } from '../../../../machines/framework/define.ts'

interface RingContext extends MachineContext {
  readonly id: string
  readonly round: number
  readonly queue: { readonly queuedAt: number; readonly limit: number }
  readonly job: { readonly ready: boolean; readonly step: number }
  readonly times: { readonly admitted: number | null; readonly started: number | null }
  readonly problem: string | null
  readonly incidents: number
}

export const ringStates = [
  'QUEUED',
  'ADMITTED',
  'STARTING',
  'PREPARING',
  'RUNNING',
  'EXECUTING',
  'WAITING_FOR_INPUT',
  'ANSWERED',
  'PAUSED',
  'RESUMED',
  'FINALIZING',
  'DONE',
] as const

/** States with a deadline, so that timers are set and canceled as in a run. */
const withDeadline = new Set<string>(['ADMITTED', 'STARTING', 'FINALIZING'])
const deadlineMs = 600_000

const states = Object.fromEntries(
  ringStates.map((state, index) => [
    state,
    {
      meta: { label: state.toLowerCase(), unbounded: 'the bench' },
      ...(withDeadline.has(state) ? { after: { [deadlineMs]: 'QUEUED' as const } } : {}),
      on: { step: { target: ringStates[(index + 1) % ringStates.length], actions: 'advance' as const } },
    },
  ]),
)

const machine = setup({
  types: typesOf<RingContext, { type: 'step'; at: number }>(),
  actions: {
    advance: assign(({ context, event }) => ({
      round: context.round + 1,
      job: { ready: true, step: context.job.step + 1 },
      times: { admitted: event.at, started: context.times.admitted },
    })),
  },
}).createMachine({
  id: 'ring',
  context: ({ input }) => ({
    init: input.init,
    id: input.id,
    round: 0,
    queue: { queuedAt: input.at, limit: 1 },
    job: { ready: false, step: 0 },
    times: { admitted: null, started: null },
    problem: null,
    incidents: 0,
  }),
  initial: 'QUEUED',
  states,
})

/** The columns of a run, so that the same indexes are maintained. */
export const ring = define({
  kind: 'run',
  version: 1,
  machine,
  effects: [],
  columns: ({ context }) => {
    const { init, queue } = context as RingContext
    return {
      agentId: String(init.agentId),
      worktreeId: String(init.worktreeId),
      scopeId: String(init.sessionId),
      sortAt: queue.queuedAt,
      number: Number(init.number),
    }
  },
  operable: true,
})
