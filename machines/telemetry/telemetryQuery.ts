/** A saved telemetry query: a name for a filter that a user needs repeatedly. */
import { setup } from 'xstate'
import type { TelemetryKind, TelemetryQuery } from '../../spec/telemetry/record.ts'
import { act } from '../framework/act.ts'
import { define, type MachineContext, typesOf } from '../framework/define.ts'
import { type ExpectsRevision, edit, isStale, type Revised, refuseStale } from '../framework/revision.ts'

/** The filter; times are milliseconds since 1970. */
export type SavedFilter = { readonly [Key in keyof Omit<TelemetryQuery, 'kind'>]: TelemetryQuery[Key] }

export type TelemetryQueryInit = {
  readonly name: string
  readonly kind: TelemetryKind
  readonly filter: SavedFilter
  readonly createdBy: string
  readonly createdAt: number
}

export interface TelemetryQueryContext extends MachineContext, Revised {
  readonly init: TelemetryQueryInit
  readonly id: string
  readonly name: string
  readonly filter: SavedFilter
  readonly updatedAt: number
}

export type TelemetryQueryEvent =
  /** Omitted fields stay unchanged. */
  | ({ type: 'update'; at: number; name?: string; filter?: SavedFilter } & ExpectsRevision)
  | ({ type: 'delete'; at: number } & ExpectsRevision)

const machine = setup({ types: typesOf<TelemetryQueryContext, TelemetryQueryEvent>() }).createMachine({
  id: 'telemetryQuery',
  context: ({ input: { id, init } }) => ({
    init,
    id,
    name: init.name,
    filter: init.filter,
    updatedAt: init.createdAt,
    revision: 1,
  }),
  initial: 'ACTIVE',
  states: {
    ACTIVE: {
      meta: { label: 'Saved', waitsFor: 'people to use it', unbounded: 'a person deletes it' },
      on: {
        update: {
          actions: act(({ context, event }) =>
            event.type === 'update'
              ? edit(context, {
                  name: event.name ?? context.name,
                  filter: event.filter ?? context.filter,
                  updatedAt: event.at,
                })
              : {},
          ),
        },
        delete: 'DELETED',
      },
    },
    DELETED: { tags: 'terminal', meta: { label: 'Deleted' } },
  },
})

export const telemetryQuery = define({
  kind: 'telemetryQuery',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ value, context: { name } }) => ({ uniqueKey: value === 'ACTIVE' ? name.toLowerCase() : undefined }),
  refuse: ({ context }, event) => refuseStale('The saved query is', context, event),
  repeats: ({ value, context }, event) =>
    event.type === 'delete'
      ? value === 'DELETED'
      : value === 'ACTIVE' &&
        !isStale(context, event) &&
        (event.name ?? context.name) === context.name &&
        (event.filter === undefined || JSON.stringify(event.filter) === JSON.stringify(context.filter)),
  operable: true,
  operatorEvents: { delete: { label: 'Delete query' } },
})
