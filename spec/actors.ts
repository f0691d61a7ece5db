/** Any actor, for those who look after the system: its state, its history, and whether it stands still. */
import * as v from 'valibot'
import type { ActorRow, JournalEntry } from './actor.ts'
import { actorKind, actorOf, actorSchema } from './actorRecord.ts'
import {
  connectionOf,
  directionOf,
  notACursor,
  type PageArguments,
  pageArguments,
  pageOf,
  pageOfRows,
} from './connections.ts'
import { failedEffectsMax, moreEffects } from './failedEffects.ts'
import { Failure } from './failure.ts'
import { cursorOf, type HistoryPosition, positionOf } from './historyPosition.ts'
import { kindOfId } from './ids.ts'
import { query, subscription } from './operation.ts'
import { notFound } from './rows.ts'
import { standingOf } from './standing.ts'
import { anyId, atMost, dateTime, id, int, json, named, text, toDateTime } from './types.ts'
import type { StuckQuery, Views } from './views.ts'

const transitionSchema = named(
  'ActorTransition',
  'One step of one actor, as it stands in the journal.',
  v.object({
    actorId: id,
    kind: actorKind,
    sequence: int,
    at: dateTime,
    event: v.string(),
    payload: json,
    from: v.pipe(v.nullable(json), v.description('State value; null for the first step.')),
    to: json,
    status: v.string(),
    change: v.pipe(json, v.description('Keys of the context that changed.')),
    timers: json,
    effects: json,
    cause: json,
    principal: v.string(),
    requestId: v.string(),
    machineVersion: int,
    machineHash: v.string(),
    cursor: v.pipe(
      v.nullable(v.string()),
      v.description('Where a kind is followed: what `after` takes to go on behind this step.'),
    ),
  }),
)

function transitionOf(step: JournalEntry, position?: HistoryPosition): v.InferInput<typeof transitionSchema> {
  return {
    actorId: step.id,
    kind: step.kind,
    sequence: step.seq,
    at: toDateTime(step.at),
    event: step.event,
    payload: step.payload,
    from: step.from,
    to: step.to,
    status: step.status,
    change: step.change,
    timers: step.timers,
    effects: step.effects,
    cause: step.cause,
    principal: step.principal,
    requestId: step.requestId,
    machineVersion: step.machine.version,
    machineHash: step.machine.hash,
    cursor: position === undefined ? null : cursorOf(position),
  }
}

const actor = query({
  name: 'actor',
  description: 'One actor of any kind.',
  access: 'people',
  tool: {
    group: 'actors',
    name: 'get_actor',
    title: 'Get an actor',
    description:
      'Any object as the lifecycle that it is, by its ID (an agent, a run, a job, a queue …): status, state, timers, context. Use ' +
      'it to find out why something stands still; how it came there is in `get_actor_history`.',
  },
  input: v.object({ id: v.pipe(anyId, v.description('The ID of any object: `run_…`, `job_…`, `agt_…`.')) }),
  output: v.nullable(actorSchema),
  read: async (input, { views }) => {
    const row = await views.get(input.id)
    return row === undefined ? null : actorOf(row)
  },
})

const actors = query({
  name: 'actors',
  description: 'Actors of a kind, newest first; `state` is a status; `stuck` shows only those that stand still.',
  access: 'people',
  tool: {
    group: 'actors',
    name: 'get_actors',
    title: 'List actors',
    description:
      'Lists the lifecycles of one kind, newest first, of one status (`state`) where it is given. For objects that have a tool of ' +
      'their own (`get_runs`, `get_agents`) that one says more.',
  },
  input: v.object({
    kind: actorKind,
    state: v.pipe(
      v.nullish(text({ max: 40 })),
      v.description('A status: `RUNNING`. `machines` lists those of a kind.'),
    ),
    stuck: v.pipe(v.nullish(v.boolean()), v.description('Only those that stand still.')),
    ...pageArguments,
  }),
  output: connectionOf('Actor', actorSchema),
  read: async ({ kind, state, stuck, ...page }, { views, now }) => {
    if (stuck !== true) return await pageOfRows(views, { kind, ...(state ? { statuses: [state] } : {}) }, page, actorOf)
    const which = { now, kind, ...(state ? { status: state } : {}) }
    return await pageOfStuck(views, which, page, (row) => actorOf(row))
  },
})

/** Those that stand still come in the order of their IDs. */
async function pageOfStuck<T>(
  views: Views,
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
    throw new Failure('BAD_USER_INPUT', 'This list goes forward only.', { details: { field: 'last' } })
  return direction
}

const actorHistory = query({
  name: 'actorHistory',
  description: 'The steps of an actor, the first one first, or from the last one backward.',
  access: 'people',
  tool: {
    group: 'actors',
    name: 'get_actor_history',
    title: 'Get the history of an actor',
    description:
      'What happened to an object, step by step: event, states before and after, what changed, why and by whom. The first step ' +
      'comes first; with `last: 20` the latest ones.',
  },
  input: v.object({
    id: v.pipe(anyId, v.description('The ID of any object: `run_…`, `job_…`, `agt_…`.')),
    ...pageArguments,
  }),
  output: connectionOf('ActorTransition', transitionSchema),
  read: async (input, { views }) => {
    const row = await views.get(input.id)
    if (row === undefined) throw notFound(kindOfId(input.id) ?? 'run', input.id)
    const direction = directionOf(input)
    const position = direction.after === undefined ? undefined : sequenceOf(direction.after, direction.backward)
    const steps = await views.history({
      id: input.id,
      descending: direction.backward,
      limit: direction.limit + 1,
      ...(position === undefined ? {} : direction.backward ? { before: position } : { after: position }),
    })
    return pageOf(
      steps,
      direction,
      (step) => String(step.seq),
      (step) => transitionOf(step),
      row.seq,
    )
  },
})

function sequenceOf(position: string, backward: boolean): number {
  const sequence = Number(position)
  if (!Number.isSafeInteger(sequence)) throw notACursor(backward ? 'before' : 'after')
  return sequence
}

const stuckActor = named(
  'StuckActor',
  'An actor that stands still, and why.',
  v.object({
    actor: actorSchema,
    cause: named(
      'StuckCause',
      'QUARANTINED: the server fails to process it and tries again with growing pauses. EFFECT_FAILED: an effect of its own has failed its retries. OVERDUE: past its deadline or expectation. UNWATCHED: nothing watches its state.',
      v.picklist(['QUARANTINED', 'EFFECT_FAILED', 'OVERDUE', 'UNWATCHED']),
    ),
    problem: v.pipe(
      v.nullable(v.string()),
      v.description('The error for which it is in quarantine; null for other causes.'),
    ),
    since: dateTime,
    waitsFor: v.pipe(v.array(v.string()), v.description('What its states wait for, in words.')),
    accepts: v.pipe(v.array(v.string()), v.description('The events that could move it.')),
    effects: atMost(
      failedEffectsMax,
      named(
        'FailedEffect',
        'An effect that waits for an operator.',
        v.object({ id: v.string(), type: v.string(), attempts: int, problem: v.string() }),
      ),
    ),
    moreEffects,
  }),
)

const stuckActors = query({
  name: 'stuckActors',
  description: 'Actors that stand still, with the cause.',
  access: 'people',
  tool: {
    group: 'actors',
    name: 'get_stuck_actors',
    title: 'List what stands still',
    description:
      'Lists objects that stand still: the server fails to process them (QUARANTINED, with the error as `problem`), an effect of ' +
      'theirs has failed its retries (EFFECT_FAILED), they are in a state for longer ' +
      'than expected (OVERDUE), or nothing moves them (UNWATCHED). Each says since when, what it waits for, and which events it ' +
      'would accept. What a person can do about it first is in `get_action_center`.',
  },
  input: v.object({ kind: v.nullish(actorKind), first: pageArguments.first, after: pageArguments.after }),
  output: connectionOf('StuckActor', stuckActor),
  read: async ({ kind, ...page }, { views, now }) => {
    const chosen = await pageOfStuck(views, { now, ...(kind ? { kind } : {}) }, page, (row) => row)
    const details = await Promise.all(
      chosen.nodes.map(async (row) => {
        const [effects, definitions] = await Promise.all([views.effects(row.id), views.definitions(row.kind)])
        const definition = definitions.find(({ hash }) => hash === row.machine.hash)?.definition
        return [row.id, { effects, standing: standingOf(definition ?? '{}', row.value) }] as const
      }),
    )
    const known = new Map(details)
    const quarantine = await views.quarantined(chosen.nodes.map((row) => row.id))
    const nodes = chosen.nodes.map((row) => {
      const { effects = [], standing = { waitsFor: [], accepts: [] } } = known.get(row.id) ?? {}
      const quarantined = quarantine.get(row.id)
      const failed = effects.filter(({ failure }) => failure !== undefined)
      return {
        actor: actorOf(row),
        cause: quarantined === undefined ? causeOf(row, failed.length, now) : ('QUARANTINED' as const),
        problem: quarantined?.problem ?? null,
        since: toDateTime(quarantined?.since ?? standsSince(row, failed.length, now)),
        waitsFor: [...standing.waitsFor],
        accepts: [...standing.accepts],
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
})

function standsSince({ columns, changedAt }: ActorRow, failed: number, now: number): number {
  return failed === 0 ? Math.min(columns.stuckAt ?? changedAt, now) : changedAt
}

function causeOf(row: ActorRow, failed: number, now: number): 'EFFECT_FAILED' | 'OVERDUE' | 'UNWATCHED' {
  if (failed > 0) return 'EFFECT_FAILED'
  return (row.columns.stuckAt ?? now + 1) <= now ? 'OVERDUE' : 'UNWATCHED'
}

const actorTransitioned = subscription({
  name: 'actorTransitioned',
  description:
    'The steps of one actor from after a sequence, or those of a kind from after a cursor; else from now on.',
  access: 'people',
  input: v.object({
    id: v.nullish(anyId),
    kind: v.nullish(actorKind),
    afterSequence: v.nullish(v.pipe(int, v.minValue(-1))),
    after: pageArguments.after,
  }),
  output: transitionSchema,
  follow: async ({ id: actorId, kind, afterSequence, after }, { views }) => {
    if (actorId) {
      if (isGiven(after)) throw wrongPosition('after', 'One actor is followed from after a sequence: afterSequence.')
      const known = kindOfId(actorId)
      if (known === undefined || (await views.get(actorId)) === undefined) throw notFound(known ?? 'run', actorId)
      return { type: 'transitions', id: actorId, after: afterSequence ?? undefined }
    }
    if (!kind) throw wrongPosition('id', 'Give the ID of an actor, or a kind.')
    if (isGiven(afterSequence)) throw wrongPosition('afterSequence', 'A kind is followed from after a cursor: after.')
    return { type: 'kind', kind, ...(isGiven(after) ? { after: positionOf(after, 'after') } : {}) }
  },
  payload: (item) => (item.type === 'step' ? transitionOf(item.step, item.position) : undefined),
})

function isGiven<T>(argument: T | null | undefined): argument is T {
  return argument !== null && argument !== undefined
}

function wrongPosition(field: string, message: string): Failure {
  return new Failure('BAD_USER_INPUT', message, { details: { field } })
}

export const actorOperations = [actor, actors, actorHistory, stuckActors, actorTransitioned]
