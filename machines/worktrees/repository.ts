/**
 * A logical repository, whichever machines have a codebase of it, with the commands that prepare a new worktree of it. It is identified by
 * its canonical name, from which its ID is derived. It is created before the first codebase of it.
 */
import { setup } from 'xstate'
import { splitCanonicalName } from '../../spec/worktrees/repositoryName.ts'
import { actOn } from '../framework/act.ts'
import { define, type MachineContext, typesOf } from '../framework/define.ts'
import { Members } from '../framework/members.ts'
import { type ExpectsRevision, edit, type Revised, refuseStale } from '../framework/revision.ts'
import { repositoryMembers } from './repositoryKeys.ts'

export type RepositoryInit = {
  /** The canonical name: `host/owner/name`. */
  readonly name: string
  readonly createdAt: number
}

/** Its revision counts how often the preparations were saved. It is 0 before the first time. */
export interface RepositoryContext extends MachineContext, Revised {
  readonly init: RepositoryInit
  /** `preparations`: the whole list of commands, in their order. */
  readonly members: Members
  readonly id: string
  /** The last time when the preparations were saved. */
  readonly saved: { readonly at: number; readonly by: string } | null
}

export type Preparation = { readonly name: string; readonly command: string }

export type RepositoryEvent = {
  type: 'savePreparations'
  at: number
  preparations: readonly Preparation[]
  by: string
} & ExpectsRevision

const on = actOn<RepositoryContext, RepositoryEvent>()

const machine = setup({
  types: typesOf<RepositoryContext, RepositoryEvent>(),
  actions: {
    save: on('savePreparations', (context, { at, by, preparations }) =>
      edit(context, { members: context.members.with(repositoryMembers.preparations, preparations), saved: { at, by } }),
    ),
  },
}).createMachine({
  id: 'repository',
  context: ({ input: { id, init } }) => ({ init, members: Members.empty, id, revision: 0, saved: null }),
  initial: 'ACTIVE',
  states: {
    ACTIVE: {
      meta: { label: 'Active', waitsFor: 'people to change its preparations', unbounded: 'a repository has no end' },
      on: { savePreparations: { actions: 'save' } },
    },
  },
})

export const repository = define({
  kind: 'repository',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ context: { init } }) => ({ uniqueKey: init.name, sortAt: init.createdAt }),
  search: ({ context: { init } }) => {
    const { owner, name } = splitCanonicalName(init.name)
    return { title: `${owner}/${name}`, text: init.name }
  },
  refuse: ({ context }, event) => refuseStale('The preparations are', context, event),
  operable: true,
})
