import type * as v from 'valibot'
import type { ActorRow, JournalEntry } from '../../../spec/core/actor.ts'
import { notACursor } from '../../../spec/core/connections.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { cursorOf, type HistoryPosition, positionOf } from '../../../spec/core/historyPosition.ts'
import { kindOfId } from '../../../spec/core/ids.ts'
import { kindName } from '../../../spec/core/kinds.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import {
  actor,
  actorHistory,
  actors,
  actorTransitioned,
  stuckActors,
  transitionEffectsMax,
  transitionSchema,
} from '../../../spec/operators/actors.ts'
import { failedEffectsMax } from '../../../spec/operators/failedEffects.ts'
import type { StuckQuery } from '../../../storage/ports/views.ts'
import { requesterBy } from '../accounts/requester.ts'
import { directionOf, type PageArguments, pageOf, pageOfRows } from '../core/connections.ts'
import { notFound } from '../core/rows.ts'
import { stateFactsOf } from '../core/stateFacts.ts'
import { handle } from '../handler.ts'
import type { PartType } from '../objectType.ts'
import type { TypedViews } from '../typedViews.ts'
import { actorOf } from './actorRecord.ts'
import { redactedTransition } from './redaction.ts'

const causeTypes = {
  request: 'REQUEST',
  agent: 'AGENT',
  timer: 'TIMER',
  effect: 'EFFECT',
  actor: 'ACTOR',
  operator: 'OPERATOR',
  migration: 'MIGRATION',
} as const

function toTransition(entry: JournalEntry, position?: HistoryPosition): v.InferInput<typeof transitionSchema> {
  const { payload, change } = redactedTransition(entry)
  return {
    actorId: entry.id,
    kind: kindName(entry.kind),
    sequence: entry.seq,
    at: toDateTime(entry.at),
    event: entry.event,
    payload,
    from: entry.from,
    to: entry.to,
    status: entry.status,
    change,
    timersSet: entry.timers.set.map(({ id, event, due }) => ({ id, event, due: toDateTime(due) })),
    timersCanceled: [...entry.timers.canceled],
    effects: entry.effects.slice(0, transitionEffectsMax).map(({ id, type, to }) => ({ id, type, to: to ?? null })),
    effectCount: entry.effects.length,
    cause: {
      type: causeTypes[entry.cause.type],
      id: entry.cause.id ?? null,
      reason: entry.cause.reason ?? null,
    },
    principal: entry.principal,
    requestId: entry.requestId,
    machineVersion: entry.machine.version,
    machineHash: entry.machine.hash,
    cursor: position === undefined ? null : cursorOf(position),
  }
}

/** Stuck actors are in the order of their IDs. */
async function pageOfStuck<T>(
  views: TypedViews,
  which: Omit<StuckQuery, 'after' | 'limit'>,
  page: PageArguments,
  make: (row: ActorRow) => T,
) {
  const direction = forwardOnly(page)
  const { after, limit } = direction
  const [rows, count] = await Promise.all([
    views.stuck({ ...which, limit: limit + 1, ...(after === undefined ? {} : { after }) }),
    views.stuckCount(which),
  ])
  return pageOf(rows, direction, (row) => row.id, make, count)
}

/** @throws Failure BAD_USER_INPUT */
function forwardOnly(page: PageArguments) {
  const direction = directionOf(page)
  if (direction.backward)
    throw new Failure('BAD_USER_INPUT', 'The list can only be read forward. Use first and after.', {
      details: { field: 'last' },
    })
  return direction
}

function sequenceOf(position: string, backward: boolean): number {
  const sequence = Number(position)
  if (!Number.isSafeInteger(sequence)) throw notACursor(backward ? 'before' : 'after')
  return sequence
}

function inStateSince({ columns, changedAt }: ActorRow, failed: number, now: number): number {
  return failed === 0 ? Math.min(columns.stuckAt ?? changedAt, now) : changedAt
}

function causeOf(row: ActorRow, failed: number, now: number): 'EFFECT_FAILED' | 'OVERDUE' | 'UNWATCHED' {
  if (failed > 0) return 'EFFECT_FAILED'
  return (row.columns.stuckAt ?? now + 1) <= now ? 'OVERDUE' : 'UNWATCHED'
}

function isGiven<T>(argument: T | null | undefined): argument is T {
  return argument !== null && argument !== undefined
}

export const transitionType: PartType = {
  name: 'ActorTransition',
  schema: transitionSchema,
  relations: {
    requestedBy: {
      ...requesterBy('principal'),
      description:
        'The `principal`, if it is a user, an API key or a run. Null if it is another, or a user who was removed.',
    },
  },
}

export const actorHandlers = [
  handle(actor, ['views'], {
    read: async (input, { views }) => {
      const row = await views.find(input.id)
      return row === undefined ? null : actorOf(row)
    },
  }),
  handle(actors, ['views'], {
    read: async ({ kind, state, stuck, ...page }, { views, now }) => {
      if (stuck !== true)
        return await pageOfRows(views, { kind, ...(state ? { statuses: [state] } : {}) }, page, actorOf)
      const which = { now, kind, ...(state ? { status: state } : {}) }
      return await pageOfStuck(views, which, page, (row) => actorOf(row))
    },
  }),
  handle(actorHistory, ['views'], {
    read: async (input, { views }) => {
      const row = await views.find(input.id)
      if (row === undefined) throw notFound(kindOfId(input.id) ?? 'run', input.id)
      const direction = directionOf(input)
      const position = direction.after === undefined ? undefined : sequenceOf(direction.after, direction.backward)
      const transitions = await views.history({
        id: input.id,
        descending: direction.backward,
        limit: direction.limit + 1,
        ...(position === undefined ? {} : direction.backward ? { before: position } : { after: position }),
      })
      return pageOf(
        transitions,
        direction,
        ({ seq }) => String(seq),
        (transition) => toTransition(transition),
        row.seq,
      )
    },
  }),
  handle(stuckActors, ['views'], {
    read: async ({ kind, ...page }, { views, now }) => {
      const chosen = await pageOfStuck(views, { now, ...(kind ? { kind } : {}) }, page, (row) => row)
      const details = await Promise.all(
        chosen.nodes.map(async (row) => {
          const [effects, definitions] = await Promise.all([views.effects(row.id), views.definitions(row.kind)])
          const definition = definitions.find(({ hash }) => hash === row.machine.hash)?.definition
          return [row.id, { effects, facts: stateFactsOf(definition ?? '{}', row.value) }] as const
        }),
      )
      const known = new Map(details)
      const quarantine = await views.quarantined(chosen.nodes.map((row) => row.id))
      const nodes = chosen.nodes.map((row) => {
        const { effects = [], facts = { waitsFor: [], accepts: [] } } = known.get(row.id) ?? {}
        const quarantined = quarantine.get(row.id)
        const failed = effects.filter(({ failure }) => failure !== undefined)
        return {
          actor: actorOf(row),
          cause: quarantined === undefined ? causeOf(row, failed.length, now) : ('QUARANTINED' as const),
          problem: quarantined?.problem ?? null,
          since: toDateTime(quarantined?.since ?? inStateSince(row, failed.length, now)),
          waitsFor: [...facts.waitsFor],
          accepts: [...facts.accepts],
          effects: failed.slice(0, failedEffectsMax).map(({ id: name, type, attempts, failure }) => ({
            id: name,
            type,
            attempts,
            problem: failure ?? '',
          })),
          moreEffects: Math.max(0, failed.length - failedEffectsMax),
        }
      })
      const edges = chosen.edges.flatMap(({ cursor }, index) => {
        const node = nodes[index]
        return node === undefined ? [] : [{ cursor, node }]
      })
      return { ...chosen, nodes, edges }
    },
  }),
  handle(actorTransitioned, ['views'], {
    follow: async ({ of: { actor: one, kind: all } }, { views }) => {
      if (one !== undefined) {
        const known = kindOfId(one.id)
        if (known === undefined || (await views.find(one.id)) === undefined) throw notFound(known ?? 'run', one.id)
        return { type: 'transitions', id: one.id, after: one.afterSequence ?? undefined }
      }
      const { kind, after } = all
      return { type: 'kind', kind, ...(isGiven(after) ? { after: positionOf(after, 'of.kind.after') } : {}) }
    },
    payload: (item) => (item.type === 'transition' ? toTransition(item.transition, item.position) : undefined),
  }),
]
