import { toDateTime } from '../../../../spec/core/types.ts'
import { type BulkRunAction, bulkRunsMax, previewBulkRunAction } from '../../../../spec/runs/bulkRunActions.ts'
import type { Envelope } from '../../../messages.ts'
import { notFound } from '../../core/rows.ts'
import { handle } from '../../handler.ts'
import type { RequestContext } from '../../requestContext.ts'
import { requestRun } from '../newRuns.ts'
import { translateRetry } from '../retryRun.ts'
import type { RunQuery } from '../runFilter.ts'
import { Refusals } from './refusals.ts'
import { RetriedOwners } from './retriedOwners.ts'
import { cancelMessage, requireDistinct, targetsOf, toBulkQuery } from './selectRuns.ts'

type PreviewContext = RequestContext<'views' | 'operators'>

interface Targets {
  readonly matching: number
  readonly count: number
  /** The targets that are tried without effect. */
  readonly tried: readonly string[]
}

export const previewBulkRunActionHandlers = [
  handle(previewBulkRunAction, ['views', 'operators'], {
    read: async ({ action, selection }, context) => {
      // Runs that were created in this millisecond are meant, too.
      const createdBefore = context.now + 1
      const refusals = new Refusals()
      const targets =
        selection.filter === undefined
          ? await findListed(selection.runIds, context)
          : await findMatching(
              action,
              await toBulkQuery(selection.filter, createdBefore, context.views),
              refusals,
              context,
            )
      await tryAll(action, targets.tried, refusals, context)
      return {
        action,
        matchingCount: targets.matching,
        targetCount: targets.count,
        acceptingCount: targets.count - refusals.triedCount,
        ...refusals.toOutput(),
        uncheckedCount: action === 'RETRY' ? targets.count - targets.tried.length : 0,
        createdBefore: toDateTime(createdBefore),
        stepMax: bulkRunsMax,
      }
    },
  }),
]

async function findListed(runIds: readonly string[], { views }: PreviewContext): Promise<Targets> {
  requireDistinct(runIds)
  const rows = await views.getMany('run', runIds)
  return { matching: rows.size, count: runIds.length, tried: runIds }
}

/** A run that has not ended can always be canceled, so only retries are tried. */
async function findMatching(
  action: BulkRunAction,
  query: RunQuery,
  refusals: Refusals,
  { views }: PreviewContext,
): Promise<Targets> {
  const target = { ...query, ...targetsOf(action) }
  const [matching, count, newest] = await Promise.all([
    views.count(query),
    views.count(target),
    action === 'RETRY' ? views.list({ ...target, descending: true, limit: bulkRunsMax }) : [],
  ])
  const reason =
    action === 'RETRY' ? 'The run has not ended. Only a run that has ended can be retried.' : 'The run has ended.'
  refusals.addCounted('FAILED_PRECONDITION', reason, matching - count)
  return { matching, count, tried: newest.map(({ id }) => id) }
}

async function tryAll(
  action: BulkRunAction,
  runIds: readonly string[],
  refusals: Refusals,
  context: PreviewContext,
): Promise<void> {
  const owners = new RetriedOwners()
  const rows = await context.views.getMany('run', runIds)
  const tries = runIds.map(async (runId) => {
    const row = rows.get(runId)
    if (row === undefined) throw notFound('run', runId)
    if (action === 'CANCEL') return await tryMessage(cancelMessage(runId, undefined), context)
    const refusal = owners.refuse(row)
    if (refusal !== undefined) throw refusal
    // The ID of a run that is never created.
    const dry = { ...context, ids: { newId: () => runId, nextNumber: async () => 0 } }
    const { ownerMessage, ...run } = await translateRetry({ runId }, dry)
    await tryMessage(await requestRun(ownerMessage, run, dry), context)
  })
  for (const [index, result] of (await Promise.allSettled(tries)).entries())
    if (result.status === 'rejected') refusals.add(result.reason, runIds[index] ?? '')
}

/** @throws Failure if the actor would refuse the message */
async function tryMessage(message: Pick<Envelope, 'to' | 'event'>, { operators, now }: PreviewContext): Promise<void> {
  const preview = await operators.previewMessage(message, now)
  if (preview.type === 'refused') throw preview.failure
}
