import type * as v from 'valibot'
import type { ActorRow, JournalEntry } from '../../../spec/core/actor.ts'
import { kindName } from '../../../spec/core/kinds.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import { effectNotFailed } from '../../../spec/operators/operatorAction.ts'
import type { MessagePreview } from '../../../spec/operators/operatorActionReader.ts'
import { type operatorActionPreview, previewedTellsMax } from '../../../spec/operators/operatorPreviews.ts'
import { requireKind } from '../core/replies.ts'
import { notFound } from '../core/rows.ts'
import type { RequestContext } from '../requestContext.ts'
import { worktreeQueueType } from '../worktrees/worktreeQueue.ts'
import type { OperatorMessage } from './operatorActionInput.ts'
import { redactedTransition } from './redaction.ts'

/** @throws Failure NOT_FOUND */
export async function previewAction(
  message: OperatorMessage,
  context: RequestContext<'views' | 'presence' | 'operators'>,
): Promise<v.InferInput<typeof operatorActionPreview>> {
  const { operators, now } = context
  const preview = await refuseUnlessFailed(message, await operators.previewMessage(message, now), context)
  const { before } = preview
  if (before === undefined) throw notFound(message.to.kind, message.to.id)
  const tells = preview.type === 'transition' ? preview.tells : []
  const tellPreviews = await Promise.all(
    tells
      .slice(0, previewedTellsMax)
      .map(async (tell) => ({ tell, preview: await operators.previewMessage(tell, now) })),
  )
  return {
    id: before.id,
    kind: kindName(before.kind),
    sequence: before.seq,
    outcome: outcomes[preview.type],
    problem: problemOf(preview),
    from: before.value,
    statusBefore: before.columns.status,
    ...(preview.type === 'transition'
      ? describeTransition(preview.entry, preview.after, now)
      : describeUnchanged(before)),
    tells: tellPreviews.map(({ tell: { to, event }, preview: its }) => ({
      id: to.id,
      kind: kindName(to.kind),
      event: event.type,
      outcome: outcomes[its.type],
      problem: problemOf(its),
      statusBefore: its.before?.columns.status ?? null,
      statusAfter: (its.type === 'transition' ? its.after : its.before)?.columns.status ?? null,
    })),
    moreTells: Math.max(0, tells.length - previewedTellsMax),
    queues: [preview, ...tellPreviews.map((one) => one.preview)].flatMap((one) => queueChange(one, context)),
  }
}

/** The actor does not decide whether an effect has failed. The commit of the action does, so the preview reads it here. */
async function refuseUnlessFailed(
  { to, operatorAction }: OperatorMessage,
  preview: MessagePreview,
  { views }: RequestContext<'views'>,
): Promise<MessagePreview> {
  if (!('effectId' in operatorAction) || preview.type !== 'transition') return preview
  const { effectId } = operatorAction
  const hasFailed = (await views.effects(to.id)).some(({ id, failure }) => id === effectId && failure !== undefined)
  return hasFailed ? preview : { type: 'refused', before: preview.before, failure: effectNotFailed(operatorAction) }
}

const outcomes = { transition: 'TRANSITION', nothing: 'NOTHING', refused: 'REFUSED' } as const

function problemOf(preview: MessagePreview) {
  if (preview.type !== 'refused') return null
  const { code, message } = preview.failure
  return { code, message }
}

function describeTransition(entry: JournalEntry, after: ActorRow, now: number) {
  return {
    to: entry.to,
    statusAfter: entry.status,
    terminal: after.columns.terminal,
    change: redactedTransition(entry).change,
    timersSet: entry.timers.set.map(({ event, due }) => ({ event, afterMs: due - now, due: toDateTime(due) })),
    timersCanceled: [...entry.timers.canceled],
    effects: entry.effects.filter(({ to }) => to === undefined).map(({ type }) => type),
  }
}

function describeUnchanged({ value, columns }: ActorRow) {
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

function queueChange(preview: MessagePreview, context: RequestContext<'presence'>) {
  if (preview.type !== 'transition' || preview.after.kind !== 'worktreeQueue' || preview.before === undefined) return []
  const admits = preview.tells.filter(({ event }) => event.type === 'admit').map(({ to }) => to.id)
  const [before, after] = [preview.before, preview.after].map((row) =>
    worktreeQueueType.fromRow(requireKind('worktreeQueue', row), context),
  )
  return before === undefined || after === undefined ? [] : [{ before, after, admits }]
}
