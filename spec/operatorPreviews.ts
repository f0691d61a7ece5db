/** What would come of an act: the step of the actor itself, and what those that it tells would make of it as they stand now. */
import * as v from 'valibot'
import type { ActorRow, JournalEntry } from './actor.ts'
import { actorKind } from './actorRecord.ts'
import type { RequestContext } from './operation.ts'
import { effectNotFailed } from './operatorAct.ts'
import type { Foreseen, ForeseenMessage } from './operatorDesk.ts'
import { notFound } from './rows.ts'
import { timersMax } from './timers.ts'
import { atMost, dateTime, id, int, json, named, toDateTime } from './types.ts'
import { worktreeQueueSchema, worktreeQueueType } from './worktreeQueue.ts'

const outcome = named(
  'ForeseenOutcome',
  'STEP: it takes a step. NOTHING: it was done before, and nothing is written. REFUSED: the actor, as it stands, does not take it.',
  v.picklist(['STEP', 'NOTHING', 'REFUSED']),
)

const problem = v.nullable(
  named('ForeseenProblem', 'Why it would be refused.', v.object({ code: v.string(), message: v.string() })),
)

const tellsShown = 20

export const foresight = named(
  'OperatorActPreview',
  'What an act would do to an actor as it stands. Nothing was written.',
  v.object({
    id,
    kind: actorKind,
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
            kind: actorKind,
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

/** @throws Failure NOT_FOUND */
export async function previewOf(
  message: ForeseenMessage,
  context: RequestContext,
): Promise<v.InferInput<typeof foresight>> {
  const { operators, now } = context
  const foreseen = unlessNotFailed(message, await operators.foresee(message, now), await failedOnes(message, context))
  const { before } = foreseen
  if (before === undefined) throw notFound(message.to.kind, message.to.id)
  const tells = foreseen.type === 'step' ? foreseen.tells : []
  const told = await Promise.all(
    tells.slice(0, tellsShown).map(async (one) => ({ one, its: await operators.foresee(one, now) })),
  )
  return {
    id: before.id,
    kind: before.kind,
    sequence: before.seq,
    outcome: outcomes[foreseen.type],
    problem: problemOf(foreseen),
    from: before.value,
    statusBefore: before.columns.status,
    ...(foreseen.type === 'step' ? stepTaken(foreseen.step, foreseen.after, now) : asItIs(before)),
    tells: told.map(({ one: { to, event }, its }) => ({
      id: to.id,
      kind: to.kind,
      event: event.type,
      outcome: outcomes[its.type],
      problem: problemOf(its),
      statusBefore: its.before?.columns.status ?? null,
      statusAfter: (its.type === 'step' ? its.after : its.before)?.columns.status ?? null,
    })),
    moreTells: Math.max(0, tells.length - tellsShown),
    queues: [foreseen, ...told.map(({ its }) => its)].flatMap((one) => queueChange(one, context)),
  }
}

/** Of an act on an effect: those of the actor's effects that have failed. */
async function failedOnes({ to, act }: ForeseenMessage, { views }: RequestContext): Promise<readonly string[]> {
  if (act === undefined || !('effectId' in act)) return []
  return (await views.effects(to.id)).filter(({ failure }) => failure !== undefined).map((effect) => effect.id)
}

/** Whether the effect has failed is not the actor's to say: the commit of the act finds out. */
function unlessNotFailed({ act }: ForeseenMessage, foreseen: Foreseen, failed: readonly string[]): Foreseen {
  if (act === undefined || !('effectId' in act) || foreseen.type !== 'step') return foreseen
  return failed.includes(act.effectId)
    ? foreseen
    : { type: 'refused', before: foreseen.before, failure: effectNotFailed() }
}

const outcomes = { step: 'STEP', nothing: 'NOTHING', refused: 'REFUSED' } as const

function problemOf(foreseen: Foreseen) {
  if (foreseen.type !== 'refused') return null
  const { code, message } = foreseen.failure
  return { code, message }
}

function stepTaken(step: JournalEntry, after: ActorRow, now: number) {
  return {
    to: step.to,
    statusAfter: step.status,
    terminal: after.columns.terminal,
    change: step.change,
    timersSet: step.timers.set.map(({ event, due }) => ({ event, afterMs: due - now, due: toDateTime(due) })),
    timersCanceled: [...step.timers.canceled],
    effects: step.effects.filter(({ to }) => to === undefined).map(({ type }) => type),
  }
}

function asItIs({ value, columns }: ActorRow) {
  return {
    to: value,
    statusAfter: columns.status,
    terminal: columns.terminal,
    change: {},
    timersSet: [],
    timersCanceled: [],
    effects: [],
  }
}

function queueChange(foreseen: Foreseen, context: RequestContext) {
  if (foreseen.type !== 'step' || foreseen.after.kind !== 'worktreeQueue' || foreseen.before === undefined) return []
  const admits = foreseen.tells.filter(({ event }) => event.type === 'admit').map(({ to }) => to.id)
  const [before, after] = [foreseen.before, foreseen.after].map((row) => worktreeQueueType.fromRow(row, context))
  return before === undefined || after === undefined ? [] : [{ before, after, admits }]
}
