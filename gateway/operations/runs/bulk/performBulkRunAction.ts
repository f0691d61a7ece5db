import type { BulkRunActionInit } from '../../../../machines/runs/bulkRunAction.ts'
import type { ActorRow } from '../../../../spec/core/actor.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { principalName } from '../../../../spec/core/principal.ts'
import { bulkRunsMax, performBulkRunAction } from '../../../../spec/runs/bulkRunActions.ts'
import type { Envelope, Reply } from '../../../messages.ts'
import { requireKind, rowAt } from '../../core/replies.ts'
import { notFound } from '../../core/rows.ts'
import { handle, type Translation } from '../../handler.ts'
import { idempotencyOf } from '../../idempotency.ts'
import type { RequestContext } from '../../requestContext.ts'
import { restrictingRun } from '../../tools/requestingRun.ts'
import type { TouchedObjects } from '../../tools/touched.ts'
import { createdRuns } from '../createdRun.ts'
import { requestRun } from '../newRuns.ts'
import { touchedByRetry, translateRetry } from '../retryRun.ts'
import { runObject } from '../runs.ts'
import { RetriedOwners } from './retriedOwners.ts'
import { type BulkStep, cancelMessage, type SelectedRuns, selectRuns } from './selectRuns.ts'

type BulkContext = RequestContext<'views' | 'ids'>
type Message = Translation<unknown>['messages'][number]

/** The time in which a request can be repeated, ms. */
const repeatableMs = 24 * 3_600_000

export const performBulkRunActionHandlers = [
  handle(performBulkRunAction, ['views', 'ids'], {
    touches: async ({ action, selection: { runIds = [] } }, context) => {
      if (action === 'CANCEL') return { runIds }
      const touched: readonly TouchedObjects[] = await Promise.all(
        runIds.map((runId) => touchedByRetry({ runId }, context)),
      )
      return { runIds: [...new Set(touched.flatMap((one) => one.runIds ?? []))] }
    },
    translate: async (input, context) => {
      await refuseFilterOfRun(input, context)
      const { create, id } = await toStep(input, context)
      // Without a run and without a key for repeats there is nothing to keep.
      if (create.runIds.length === 0 && create.requestKey === null)
        return { messages: [], answer: () => ({ results: [], remainingCount: 0, continueAfter: null }) }
      const messages = create.action === 'CANCEL' ? cancelMessages(input.reason) : retryMessages(context)
      const uniqueKey = create.requestKey
      const begin: Envelope = {
        to: { kind: 'bulkRunAction', id },
        event: { type: 'create' },
        create: { ...create },
        orExisting: uniqueKey === null ? {} : { uniqueKey },
      }
      return {
        messages: [begin, ...messages],
        phases: [1, messages.length],
        answer: async (replies, refusals) => {
          if (replies[0] === undefined) throw refusals.get(0)
          const { runIds, newRunIds, remaining } = rowAt('bulkRunAction', replies).init
          const created = await createdRuns(
            newRunIds.filter((_, index) => !refusals.has(1 + index)),
            context.views,
          )
          const results = runIds.map((runId, index) => {
            const row = created.get(newRunIds[index] ?? '') ?? replies[1 + index]?.row
            return row === undefined ? toRefusal(runId, refusals.get(1 + index)) : toDone(runId, row)
          })
          return { results, remainingCount: remaining, continueAfter: remaining > 0 ? (runIds.at(-1) ?? null) : null }
        },
      }
    },
  }),
]

/** A filter would include runs that others have started. */
async function refuseFilterOfRun({ selection }: BulkStep, { principal, views }: BulkContext): Promise<void> {
  if (selection.filter === undefined || (await restrictingRun(principal, views)) === undefined) return
  throw new Failure(
    'FORBIDDEN',
    'Runs can act only on runs that they have started. Give their IDs as selection.runIds.',
    {
      details: { field: 'selection.filter' },
    },
  )
}

/** The step, with the runs that it acts on. A repeat of the request has those of the first time, whatever matches its filter now. */
async function toStep(
  input: BulkStep,
  context: BulkContext,
): Promise<{ readonly id: string; readonly create: BulkRunActionInit }> {
  const { views, ids, now, principal } = context
  const requestKey = idempotencyOf(principal, performBulkRunAction.name, input)?.key ?? null
  const known = requestKey === null ? undefined : await views.findByKey('bulkRunAction', requestKey)
  const isRepeat = known !== undefined && now - known.init.createdAt < repeatableMs
  if (isRepeat) return { id: known.id, create: known.init }
  const { runIds, remaining }: SelectedRuns = await selectRuns(input, views)
  return {
    id: ids.newId('bulkRunAction'),
    create: {
      action: input.action,
      runIds,
      newRunIds: input.action === 'RETRY' ? runIds.map(() => ids.newId('run')) : [],
      remaining,
      requestKey: known === undefined ? requestKey : null,
      requestedBy: principalName(principal),
      createdAt: now,
    },
  }
}

const indexes = Array.from({ length: bulkRunsMax }, (_, index) => index)

/** The number of messages is fixed, because their idempotency keys are made from their places. */
function cancelMessages(reason: string | null | undefined): readonly Message[] {
  return indexes.map((index) => (replies: readonly Reply[]) => {
    const runId = rowAt('bulkRunAction', replies).init.runIds[index]
    return runId === undefined ? undefined : cancelMessage(runId, reason)
  })
}

/** The messages to the owners, which create the new runs. A refused message ends its own retry only. */
function retryMessages(context: BulkContext): readonly Message[] {
  let reading: ReturnType<typeof readRetries> | undefined
  const retry = async (replies: readonly Reply[], index: number): Promise<Envelope | undefined> => {
    const { runIds, newRunIds } = rowAt('bulkRunAction', replies).init
    const [runId, newRunId] = [runIds[index], newRunIds[index]]
    if (runId === undefined || newRunId === undefined) return undefined
    reading ??= readRetries({ runIds, newRunIds }, context)
    const { created, refused } = await reading
    if (created.has(newRunId)) return undefined
    const refusal = refused.get(runId)
    if (refusal !== undefined) throw refusal
    const ids = { ...context.ids, newId: () => newRunId }
    const { ownerMessage, run, grant } = await translateRetry({ runId }, { ...context, ids })
    return await requestRun(ownerMessage, { run, grant }, context)
  }
  return indexes.map((index) => (replies) => retry(replies, index))
}

/** The new runs that exist already, and the runs that cannot be retried because of others in the same step. */
async function readRetries(
  { runIds, newRunIds }: Pick<BulkRunActionInit, 'runIds' | 'newRunIds'>,
  { views }: BulkContext,
) {
  const [formers, created] = await Promise.all([views.getMany('run', runIds), views.getMany('run', newRunIds)])
  const owners = new RetriedOwners()
  const refused = new Map<string, Failure>()
  for (const runId of runIds) {
    const former = formers.get(runId)
    const refusal = former === undefined ? notFound('run', runId) : owners.refuse(former)
    if (refusal !== undefined) refused.set(runId, refusal)
  }
  return { created, refused }
}

function toDone(runId: string, row: ActorRow) {
  return { runId, done: true, run: runObject(requireKind('run', row)), code: null, message: null }
}

function toRefusal(runId: string, failure: unknown) {
  if (!(failure instanceof Failure)) throw failure
  return { runId, done: false, run: null, code: failure.code, message: failure.message }
}
