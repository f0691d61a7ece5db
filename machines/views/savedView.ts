/** A saved view: a user's own filters and columns of a page of the console, under a name. Only its user reads and changes it. */
import { setup } from 'xstate'
import type { SavedViewPage } from '../../spec/views/savedViews.ts'
import { actOn } from '../framework/act.ts'
import { define, type MachineContext, typesOf } from '../framework/define.ts'
import { type ExpectsRevision, edit, isStale, type Revised, refuseStale } from '../framework/revision.ts'
import { savedViewKey } from './savedViewKeys.ts'

export type SavedViewInit = {
  readonly userId: string
  readonly page: SavedViewPage
  readonly name: string
  readonly query: string
  readonly columns: readonly string[]
  readonly createdAt: number
}

export interface SavedViewContext extends MachineContext, Revised {
  readonly init: SavedViewInit
  readonly id: string
  readonly name: string
  readonly query: string
  readonly columns: readonly string[]
  readonly updatedAt: number
}

export type SavedViewEvent =
  /** Omitted fields stay unchanged. */
  | ({ type: 'update'; at: number; name?: string; query?: string; columns?: readonly string[] } & ExpectsRevision)
  | ({ type: 'delete'; at: number } & ExpectsRevision)

const on = actOn<SavedViewContext, SavedViewEvent>()

const machine = setup({
  types: typesOf<SavedViewContext, SavedViewEvent>(),
  actions: {
    update: on('update', (context, { at, name, query, columns }) =>
      edit(context, {
        name: name ?? context.name,
        query: query ?? context.query,
        columns: columns ?? context.columns,
        updatedAt: at,
      }),
    ),
  },
}).createMachine({
  id: 'savedView',
  context: ({ input: { id, init } }) => ({
    init,
    id,
    name: init.name,
    query: init.query,
    columns: init.columns,
    updatedAt: init.createdAt,
    revision: 1,
  }),
  initial: 'ACTIVE',
  states: {
    ACTIVE: {
      meta: { label: 'Saved', waitsFor: 'its user to use it', unbounded: 'its user deletes it' },
      on: { update: { actions: 'update' }, delete: 'DELETED' },
    },
    DELETED: { tags: 'terminal', meta: { label: 'Deleted' } },
  },
})

export const savedView = define({
  kind: 'savedView',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ value, context: { init, name } }) => ({
    scopeId: init.userId,
    uniqueKey: value === 'ACTIVE' ? savedViewKey(init, name) : undefined,
  }),
  refuse: ({ context }, event) => refuseStale('The saved view is', context, event),
  repeats: ({ value, context }, event) =>
    event.type === 'delete'
      ? value === 'DELETED'
      : value === 'ACTIVE' &&
        !isStale(context, event) &&
        (event.name ?? context.name) === context.name &&
        (event.query ?? context.query) === context.query &&
        JSON.stringify(event.columns ?? context.columns) === JSON.stringify(context.columns),
  operable: false,
})
