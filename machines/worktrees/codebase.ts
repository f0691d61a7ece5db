/** A git repository on an agent's machine, as the agent last reported it. */
import { setup } from 'xstate'
import type { CodebaseState } from '../../spec/worktrees/codebases.ts'
import { canonicalName, splitCanonicalName } from '../../spec/worktrees/repositoryName.ts'
import { actOn } from '../framework/act.ts'
import { define, type MachineContext, typesOf } from '../framework/define.ts'
import { Members } from '../framework/members.ts'
import { codebaseMembers } from './codebaseKeys.ts'
import { lastName } from './lastName.ts'

export type CodebaseInit = {
  readonly agentId: string
  readonly path: string
  readonly createdAt: number
  /** The state at the first report. */
  readonly state: CodebaseState
  /** The repository that the remote of this state names. */
  readonly repositoryId: string | null
  readonly branches: readonly string[] | null
}

export interface CodebaseContext extends MachineContext {
  readonly init: CodebaseInit
  /** `branches`: the names of its branches. */
  readonly members: Members
  readonly id: string
  readonly state: CodebaseState
  /** The repository that its remote names. Null if it has no remote that names a host. */
  readonly repositoryId: string | null
}

export type CodebaseEvent =
  | {
      type: 'reported'
      at: number
      available: boolean
      state: CodebaseState
      repositoryId: string | null
      branches: readonly string[] | null
    }
  | { type: 'remove'; at: number }

const on = actOn<CodebaseContext, CodebaseEvent>()

const known = {
  reported: [
    { guard: 'available', target: 'PRESENT', actions: 'take' },
    { target: 'MISSING', actions: 'take' },
  ],
  remove: 'REMOVED',
} as const

const machine = setup({
  types: typesOf<CodebaseContext, CodebaseEvent>(),
  guards: { available: ({ event }) => event.type === 'reported' && event.available },
  actions: {
    take: on('reported', ({ members }, { state, repositoryId, branches }) => ({
      set: {
        state,
        repositoryId,
        members: branches === null ? members : members.with(codebaseMembers.branches, branches),
      },
    })),
  },
}).createMachine({
  id: 'codebase',
  context: ({ input: { id, init } }) => ({
    init,
    members: init.branches === null ? Members.empty : Members.empty.with(codebaseMembers.branches, init.branches),
    id,
    state: init.state,
    repositoryId: init.repositoryId,
  }),
  initial: 'PRESENT',
  states: {
    PRESENT: {
      meta: { label: 'Present', waitsFor: "the agent's next report", unbounded: 'its folder is removed' },
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

export const codebase = define({
  kind: 'codebase',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ value, context }) => {
    const { agentId, path } = context.init
    return {
      agentId,
      scopeId: context.repositoryId ?? undefined,
      uniqueKey: value === 'REMOVED' ? undefined : `${agentId}|${path}`,
    }
  },
  search: ({ value, context: { init, state } }) => {
    if (value === 'REMOVED') return undefined
    const repository = canonicalName(state.observedOrigin)
    return {
      title: repository === undefined ? lastName(init.path) : splitCanonicalName(repository).name,
      // The remote URL is left out, because it may contain a credential.
      text: [init.path, repository, state.branch].filter(Boolean).join(' '),
    }
  },
  repeats: ({ value }, event) => event.type === 'remove' && value === 'REMOVED',
  operable: true,
  operatorStates: ['PRESENT', 'MISSING'],
  operatorEvents: { remove: { label: 'Remove codebase from the list: its files are kept' } },
})
