/** Actors of any kind, for operators: state, history, and the reason why an actor is stuck. */
import * as v from 'valibot'
import { connectionOf, pageArguments } from '../core/connections.ts'
import { oneOf } from '../core/oneOf.ts'
import { query, subscription } from '../core/operation.ts'
import { anyId, atMost, dateTime, id, int, json, named, text } from '../core/types.ts'
import { actorKind, actorKindName, actorSchema, actorTimer } from './actorRecord.ts'
import { failedEffectsMax, moreEffects } from './failedEffects.ts'
import { timersMax } from './timers.ts'

/** The maximum number of effects of a transition in an answer. */
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
    change: v.pipe(json, v.description('The keys of the context that changed.')),
    timersSet: atMost(timersMax, actorTimer),
    timersCanceled: v.pipe(v.array(v.string()), v.description('The IDs of the timers that the transition canceled.')),
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
      v.description(`The first ${transitionEffectsMax} effects. \`effectCount\` is the number of all.`),
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
      v.description('The cursor of the transition, for `after` of a subscription to a kind. Null in other answers.'),
    ),
  }),
)

export const actor = query({
  name: 'actor',
  description: 'Returns one actor of any kind, by its ID.',
  access: 'people',
  tool: {
    group: 'actors',
    name: 'get_actor',
    title: 'Get an actor',
    description:
      'Returns any object (an agent, a run, a job, a queue …) as a state machine, by its ID: status, state, timers, context. ' +
      'Use it to find out why an object makes no progress. `get_actor_history` returns the transitions that led to the state.',
  },
  input: v.object({ id: v.pipe(anyId, v.description('The ID of any object: `run_…`, `job_…`, `agt_…`.')) }),
  output: v.nullable(actorSchema),
})

export const actors = query({
  name: 'actors',
  description: 'Returns the actors of a kind, newest first. `state` is a status. `stuck` returns only stuck actors.',
  access: 'people',
  tool: {
    group: 'actors',
    name: 'get_actors',
    title: 'List actors',
    description:
      'Lists the objects of one kind as state machines, newest first. `state` filters by status. If the kind has a tool of its ' +
      'own, such as `get_runs` or `get_agents`, that tool returns more.',
  },
  input: v.object({
    kind: actorKind,
    state: v.pipe(
      v.nullish(text({ max: 40 })),
      v.description('A status, for example `RUNNING`. `machines` returns the statuses of a kind.'),
    ),
    stuck: v.pipe(v.nullish(v.boolean()), v.description('Whether to return only stuck actors. Default: false.')),
    ...pageArguments,
  }),
  output: connectionOf('Actor', actorSchema),
})

export const actorHistory = query({
  name: 'actorHistory',
  description: 'Returns the transitions of an actor, oldest first. `last` and `before` read from the end.',
  access: 'people',
  tool: {
    group: 'actors',
    name: 'get_actor_history',
    title: 'Get the history of an actor',
    description:
      'Returns the history of an object: each transition with its event, the states before and after, the changes, the cause ' +
      'and the principal. The oldest comes first. `last: 20` returns the latest 20.',
  },
  input: v.object({
    id: v.pipe(anyId, v.description('The ID of any object: `run_…`, `job_…`, `agt_…`.')),
    ...pageArguments,
  }),
  output: connectionOf('ActorTransition', transitionSchema),
})

const stuckActor = named(
  'StuckActor',
  'A stuck actor, and the cause.',
  v.object({
    actor: actorSchema,
    cause: named(
      'StuckCause',
      'QUARANTINED: the server fails to process the actor and retries with growing pauses. EFFECT_FAILED: an effect of the ' +
        'actor has exhausted its retries. OVERDUE: the actor is past its deadline or expected duration. UNWATCHED: no timer, ' +
        'lease or effect of the actor can advance it.',
      v.picklist(['QUARANTINED', 'EFFECT_FAILED', 'OVERDUE', 'UNWATCHED']),
    ),
    problem: v.pipe(
      v.nullable(v.string()),
      v.description('The error for which the actor is in quarantine. Null for other causes.'),
    ),
    since: dateTime,
    waitsFor: v.pipe(v.array(v.string()), v.description('Descriptions of what the actor’s states wait for.')),
    accepts: v.pipe(v.array(v.string()), v.description('The events that the actor accepts in its current state.')),
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
  description: 'Returns the stuck actors, with the cause.',
  access: 'people',
  tool: {
    group: 'actors',
    name: 'get_stuck_actors',
    title: 'List stuck objects',
    description:
      'Lists stuck objects with the cause: the server fails to process the object (QUARANTINED, with the error as `problem`), ' +
      'an effect has exhausted its retries (EFFECT_FAILED), a state lasts longer than expected (OVERDUE), or nothing can ' +
      'advance the object (UNWATCHED). Each has the time since which it is stuck, what it waits for, and the events that it ' +
      'accepts. `get_action_center` returns the items that a person should handle first.',
  },
  input: v.object({ kind: v.nullish(actorKind), first: pageArguments.first, after: pageArguments.after }),
  output: connectionOf('StuckActor', stuckActor),
})

export const actorTransitioned = subscription({
  name: 'actorTransitioned',
  description: 'Sends the transitions of one actor, or of all actors of a kind.',
  access: 'people',
  input: v.object({
    of: oneOf('TransitionsInput', 'The actors whose transitions are sent. Give exactly one of the fields.', {
      actor: named(
        'ActorTransitionsInput',
        'One actor, by its ID.',
        v.object({
          id: anyId,
          afterSequence: v.pipe(
            v.nullish(v.pipe(int, v.minValue(-1))),
            v.description('The sequence after which the transitions begin. Default: only new transitions are sent.'),
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
            v.description('The `cursor` after which the transitions begin. Default: only new transitions are sent.'),
          ),
        }),
      ),
    }),
  }),
  output: transitionSchema,
})
