/** A git repository on an agent's machine, as the agent last reported it. */
import { setup } from 'xstate'
import { act } from './act.ts'
import { define, type MachineContext, type MachineInput } from './define.ts'
import { Members } from './members.ts'

/** In git's own words. */
export type SyncState = 'CLEAN' | 'AHEAD' | 'BEHIND' | 'DIVERGED' | 'NO_UPSTREAM' | 'UNKNOWN'

export type CodebaseState = {
  readonly observedOrigin: string | null
  readonly branch: string | null
  readonly headSha: string | null
  readonly upstream: string | null
  readonly ahead: number | null
  readonly behind: number | null
  readonly syncState: SyncState
  readonly statusError: string | null
  readonly lastCheckedAt: string
  readonly lastFetchedAt: string | null
}

export type CodebaseInit = {
  readonly agentId: string
  readonly path: string
  readonly createdAt: number
  /** As it was first reported. */
  readonly state: CodebaseState
  readonly branches: readonly string[] | null
}

export interface CodebaseContext extends MachineContext {
  readonly init: CodebaseInit
  /** `branches`: the names of its branches. */
  readonly members: Members
  readonly id: string
  readonly state: CodebaseState
}

export type CodebaseEvent =
  | { type: 'reported'; at: number; available: boolean; state: CodebaseState; branches: readonly string[] | null }
  | { type: 'remove'; at: number }

type Report = CodebaseEvent & { type: 'reported' }

const step = act<CodebaseContext, CodebaseEvent, CodebaseEvent>

const known = {
  reported: [
    { guard: 'available', target: 'PRESENT', actions: 'take' },
    { target: 'MISSING', actions: 'take' },
  ],
  remove: 'REMOVED',
} as const

const machine = setup({
  types: {
    context: {} as CodebaseContext,
    events: {} as CodebaseEvent,
    input: {} as MachineInput,
    tags: {} as 'terminal',
  },
  guards: { available: ({ event }) => event.type === 'reported' && event.available },
  actions: {
    take: step(({ context, event }) => (event.type === 'reported' ? take(context, event) : {})),
  },
}).createMachine({
  id: 'codebase',
  context: ({ input }) => {
    const init = input.init as unknown as CodebaseInit
    const { state, branches } = init
    return {
      init,
      members: branches === null ? Members.empty : Members.empty.with('branches', branches),
      id: input.id,
      state,
    }
  },
  initial: 'PRESENT',
  states: {
    PRESENT: {
      meta: { label: 'Present', waitsFor: "the agent's next report", unbounded: 'it lives as long as its folder' },
      on: known,
    },
    MISSING: {
      meta: {
        label: 'Missing',
        waitsFor: 'its folder to come back',
        unbounded: 'a person brings it back or removes it',
      },
      on: known,
    },
    REMOVED: { tags: 'terminal', meta: { label: 'Removed' } },
  },
})

function take({ members }: CodebaseContext, { state, branches }: Report) {
  return { set: { state, members: branches === null ? members : members.with('branches', branches) } }
}

export const codebase = define({
  kind: 'codebase',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ value, context }) => {
    const { agentId, path } = (context as CodebaseContext).init
    return { agentId, uniqueKey: value === 'REMOVED' ? undefined : `${agentId}|${path}` }
  },
  repeats: ({ value }, event) => event.type === 'remove' && value === 'REMOVED',
  operable: true,
  operatorEvents: ['remove'],
})
