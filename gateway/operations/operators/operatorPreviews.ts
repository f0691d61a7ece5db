import type * as v from 'valibot'
import type { ActorRow, JournalEntry } from '../../../spec/core/actor.ts'
import { kindName } from '../../../spec/core/kinds.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import { effectNotFailed } from '../../../spec/operators/operatorAction.ts'
import type { Foreseen, ForeseenMessage } from '../../../spec/operators/operatorDesk.ts'
import { type foresight, tellsShown } from '../../../spec/operators/operatorPreviews.ts'
import { requireKind } from '../core/replies.ts'
import { notFound } from '../core/rows.ts'
import type { RequestContext } from '../requestContext.ts'
import { worktreeQueueType } from '../worktrees/worktreeQueue.ts'

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
    kind: kindName(before.kind),
    sequence: before.seq,
    outcome: outcomes[foreseen.type],
    problem: problemOf(foreseen),
    from: before.value,
    statusBefore: before.columns.status,
    ...(foreseen.type === 'step' ? stepTaken(foreseen.step, foreseen.after, now) : asItIs(before)),
    tells: told.map(({ one: { to, event }, its }) => ({
      id: to.id,
      kind: kindName(to.kind),
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
  const [before, after] = [foreseen.before, foreseen.after].map((row) =>
    worktreeQueueType.fromRow(requireKind('worktreeQueue', row), context),
  )
  return before === undefined || after === undefined ? [] : [{ before, after, admits }]
}
