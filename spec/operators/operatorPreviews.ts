/**
 * The preview of an operator action: the transition of the actor itself, and the transitions of the actors that it tells, in
 * their current state.
 */
import * as v from 'valibot'
import { problem } from '../core/problem.ts'
import { atMost, dateTime, id, int, json, named } from '../core/types.ts'
import { worktreeQueueSchema } from '../worktrees/worktreeQueue.ts'
import { actorKindName } from './actorRecord.ts'
import { timersMax } from './timers.ts'

const outcome = named(
  'PreviewOutcome',
  'TRANSITION: the actor would take a transition. NOTHING: the message was processed before, and nothing would be written. REFUSED: the actor would refuse the message.',
  v.picklist(['TRANSITION', 'NOTHING', 'REFUSED']),
)

export const previewedTellsMax = 20

export const operatorActionPreview = named(
  'OperatorActionPreview',
  'A dry run of an operator action on the current state of an actor. Nothing was written.',
  v.object({
    id,
    kind: actorKindName,
    sequence: v.pipe(
      int,
      v.description('The sequence of the actor. Pass it as `expectedSequence` to perform the action.'),
    ),
    outcome,
    problem: v.nullable(problem),
    from: v.pipe(json, v.description('The current state value.')),
    to: v.pipe(json, v.description('The state value after the action.')),
    statusBefore: v.string(),
    statusAfter: v.string(),
    terminal: v.pipe(v.boolean(), v.description('Whether the state after the action is terminal.')),
    change: v.pipe(json, v.description('The keys of the context that would change, with their new values.')),
    timersSet: atMost(
      timersMax,
      named('PreviewTimer', 'A timer that would be set.', v.object({ event: v.string(), afterMs: int, due: dateTime })),
    ),
    timersCanceled: v.array(v.string()),
    effects: v.pipe(v.array(v.string()), v.description('The effects that would be executed, without tells.')),
    tells: v.pipe(
      atMost(
        previewedTellsMax,
        named(
          'PreviewMessage',
          'A message to another actor, and its outcome on the current state of that actor.',
          v.object({
            id,
            kind: actorKindName,
            event: v.string(),
            outcome,
            problem: v.nullable(problem),
            statusBefore: v.pipe(v.nullable(v.string()), v.description('Null if the message would create the actor.')),
            statusAfter: v.nullable(v.string()),
          }),
        ),
      ),
      v.description(`The first ${previewedTellsMax}.`),
    ),
    moreTells: v.pipe(int, v.description('The number of tells that are not listed.')),
    queues: v.pipe(
      atMost(
        1 + previewedTellsMax,
        named(
          'PreviewQueue',
          'A worktree queue that would change.',
          v.object({
            before: worktreeQueueSchema,
            after: worktreeQueueSchema,
            admits: v.pipe(v.array(id), v.description('The runs that it would admit.')),
          }),
        ),
      ),
      v.description('The worktree queues that the action or one of its tells would change.'),
    ),
  }),
)
