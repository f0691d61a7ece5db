/** Any actor, for operators: its state, its history, and whether it is stuck. */
import * as v from 'valibot'
import { connectionOf, pageArguments } from '../core/connections.ts'
import { oneOf } from '../core/oneOf.ts'
import { query, subscription } from '../core/operation.ts'
import { anyId, atMost, dateTime, id, int, json, named, text } from '../core/types.ts'
import { actorKind, actorKindName, actorSchema, actorTimer } from './actorRecord.ts'
import { failedEffectsMax, moreEffects } from './failedEffects.ts'
import { timersMax } from './timers.ts'

/** Effects of a transition in an answer. */
export const transitionEffectsMax = 20

const causeType = named(
  'TransitionCauseType',
  'REQUEST, AGENT or OPERATOR: the request with this ID. TIMER: a deadline of the actor. ACTOR: a message of another actor. EFFECT: the result of an effect. MIGRATION: a new version of the machine.',
  v.picklist(['REQUEST', 'AGENT', 'TIMER', 'EFFECT', 'ACTOR', 'OPERATOR', 'MIGRATION']),
)

export const transitionSchema = named(
  'ActorTransition',
  'A transition of an actor, as the journal stores it.',
  v.object({
    actorId: id,
    kind: actorKindName,
    sequence: int,
    at: dateTime,
    event: v.string(),
    payload: json,
    from: v.pipe(v.nullable(json), v.description('The state value before. Null for the first transition.')),
    to: json,
    status: v.string(),
    change: v.pipe(json, v.description('Keys of the context that changed.')),
    timersSet: atMost(timersMax, actorTimer),
    timersCanceled: v.pipe(v.array(v.string()), v.description('The IDs of the timers that it canceled.')),
    effects: v.pipe(
      atMost(
        transitionEffectsMax,
        named(
          'TransitionEffect',
          'A side effect that the transition requested. Its type is `tell` for a message to another actor.',
          v.object({
            id: v.string(),
            type: v.string(),
            to: v.pipe(v.nullable(id), v.description('The actor that receives the message.')),
          }),
        ),
      ),
      v.description(`The first ${transitionEffectsMax}. \`effectCount\` is the number of all.`),
    ),
    effectCount: int,
    cause: named(
      'TransitionCause',
      'The cause of a transition.',
      v.object({
        type: causeType,
        id: v.nullable(v.string()),
        reason: v.pipe(v.nullable(v.string()), v.description('The reason that an operator gave.')),
      }),
    ),
    principal: v.pipe(
      v.string(),
      v.description('The ID of the user, API key, run, agent or enrollment that caused it, or a name of the service.'),
    ),
    requestId: v.string(),
    machineVersion: int,
    machineHash: v.string(),
    cursor: v.pipe(
      v.nullable(v.string()),
      v.description('Where a kind is followed: what `after` takes to go on behind this step.'),
    ),
  }),
)

export const actor = query({
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
})

export const actors = query({
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
})

export const actorHistory = query({
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
})

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

export const stuckActors = query({
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
})

export const actorTransitioned = subscription({
  name: 'actorTransitioned',
  description: 'The transitions of one actor, or of all actors of a kind.',
  access: 'people',
  input: v.object({
    of: oneOf('TransitionsInput', 'The actors that are followed: exactly one of these.', {
      actor: named(
        'ActorTransitionsInput',
        'One actor.',
        v.object({
          id: anyId,
          afterSequence: v.pipe(
            v.nullish(v.pipe(int, v.minValue(-1))),
            v.description('Begins with the transitions after this one. Omitted: with new transitions.'),
          ),
        }),
      ),
      kind: named(
        'KindTransitionsInput',
        'All actors of a kind.',
        v.object({
          kind: actorKind,
          after: v.pipe(
            pageArguments.after,
            v.description('Begins with the transitions after this `cursor`. Omitted: with new transitions.'),
          ),
        }),
      ),
    }),
  }),
  output: transitionSchema,
})
