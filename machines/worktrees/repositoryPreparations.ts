/** The commands that prepare a new worktree of a logical repository, in their order. The actor is created when commands are first saved. */
import { setup } from 'xstate'
import { Failure } from '../../spec/core/failure.ts'
import { actOn } from '../framework/act.ts'
import { define, type MachineContext, typesOf } from '../framework/define.ts'
import { Members } from '../framework/members.ts'

export type RepositoryPreparationsInit = {
  /** `host/owner/name` */
  readonly repositoryId: string
  readonly createdAt: number
}

export interface RepositoryPreparationsContext extends MachineContext {
  readonly init: RepositoryPreparationsInit
  /** `preparations`: the whole list. */
  readonly members: Members
  readonly id: string
  /** Incremented at each save. */
  readonly revision: number
  readonly saved: { readonly at: number; readonly by: string } | null
}

export type Preparation = { readonly name: string; readonly command: string }

export type RepositoryPreparationsEvent = {
  type: 'save'
  at: number
  preparations: readonly Preparation[]
  by: string
  /** If it is set, the present revision must be this one. */
  expectedRevision: number | null
}

const on = actOn<RepositoryPreparationsContext, RepositoryPreparationsEvent>()

const machine = setup({
  types: typesOf<RepositoryPreparationsContext, RepositoryPreparationsEvent>(),
  actions: {
    save: on('save', ({ members, revision }, { at, by, preparations }) => ({
      set: { members: members.with('preparations', preparations), revision: revision + 1, saved: { at, by } },
    })),
  },
}).createMachine({
  id: 'repositoryPreparations',
  context: ({ input: { id, init } }) => ({ init, members: Members.empty, id, revision: 0, saved: null }),
  initial: 'ACTIVE',
  states: {
    ACTIVE: {
      meta: { label: 'In force', waitsFor: 'people to change them', unbounded: 'a list of commands has no end' },
      on: { save: { actions: 'save' } },
    },
  },
})

export const repositoryPreparations = define({
  kind: 'repositoryPreparations',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ context: { init } }) => ({ uniqueKey: init.repositoryId }),
  refuse: ({ context: { revision } }, { expectedRevision }) =>
    expectedRevision === null || expectedRevision === revision
      ? undefined
      : new Failure(
          'CONFLICT',
          `They were saved meanwhile: they are at revision ${revision}, not ${expectedRevision}. Look again.`,
          {
            details: { field: 'expectedRevision', revision },
          },
        ),
  operable: true,
})
