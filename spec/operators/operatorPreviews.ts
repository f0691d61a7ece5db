/**
 * The preview of an operator action: the transition of the actor itself, and the transitions of the actors that it tells, in
 * their current state.
 */
import * as v from 'valibot'
import { atMost, dateTime, id, int, json, named } from '../core/types.ts'
import { worktreeQueueSchema } from '../worktrees/worktreeQueue.ts'
import { actorKindName } from './actorRecord.ts'
import { timersMax } from './timers.ts'

const outcome = named(
  'ForeseenOutcome',
  'STEP: it takes a step. NOTHING: it was done before, and nothing is written. REFUSED: the actor, as it stands, does not take it.',
  v.picklist(['STEP', 'NOTHING', 'REFUSED']),
)

const problem = v.nullable(
  named('ForeseenProblem', 'Why it would be refused.', v.object({ code: v.string(), message: v.string() })),
)

export const tellsShown = 20

export const foresight = named(
  'OperatorActionPreview',
  'What an act would do to an actor as it stands. Nothing was written.',
  v.object({
    id,
    kind: actorKindName,
    sequence: v.pipe(int, v.description('Of the actor that was looked at: what the act takes as `expectedSequence`.')),
    outcome,
    problem,
    from: v.pipe(json, v.description('The state value now.')),
    to: v.pipe(json, v.description('The state value afterwards.')),
    statusBefore: v.string(),
    statusAfter: v.string(),
    terminal: v.pipe(v.boolean(), v.description('Nothing would leave that state any more.')),
    change: v.pipe(json, v.description('Keys of the context that would change, with their values.')),
    timersSet: atMost(
      timersMax,
      named(
        'ForeseenTimer',
        'A deadline that would begin.',
        v.object({ event: v.string(), afterMs: int, due: dateTime }),
      ),
    ),
    timersCanceled: v.array(v.string()),
    effects: v.pipe(v.array(v.string()), v.description('What would be carried out, beside messages to other actors.')),
    tells: v.pipe(
      atMost(
        tellsShown,
        named(
          'ForeseenTell',
          'A message to another actor, and what that would make of it as it stands.',
          v.object({
            id,
            kind: actorKindName,
            event: v.string(),
            outcome,
            problem,
            statusBefore: v.pipe(v.nullable(v.string()), v.description('Null where the message would make it.')),
            statusAfter: v.nullable(v.string()),
          }),
        ),
      ),
      v.description('Of more than 20, the first 20.'),
    ),
    moreTells: v.pipe(int, v.description('How many more it would tell.')),
    queues: v.pipe(
      atMost(
        1 + tellsShown,
        named(
          'ForeseenQueue',
          'A worktree’s queue that would change.',
          v.object({
            before: worktreeQueueSchema,
            after: worktreeQueueSchema,
            admits: v.pipe(v.array(id), v.description('Runs that it would let in.')),
          }),
        ),
      ),
      v.description('Queues that the act, or a message of its, would change.'),
    ),
  }),
)
