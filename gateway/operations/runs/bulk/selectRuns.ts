import { Failure } from '../../../../spec/core/failure.ts'
import { type BulkRunAction, bulkRunsMax, type RunSelection } from '../../../../spec/runs/bulkRunActions.ts'
import type { Envelope } from '../../../messages.ts'
import type { TypedViews } from '../../typedViews.ts'
import { type RunQuery, toRunQuery } from '../runFilter.ts'

/** The runs of one step of a bulk action. */
export interface SelectedRuns {
  readonly runIds: readonly string[]
  /** The number of targets that are left for later steps. */
  readonly remaining: number
}

/** Which of the matching runs the action is tried on. The others are only counted. */
export const targetsOf = (action: BulkRunAction): { readonly terminal: boolean } => ({ terminal: action === 'RETRY' })

/**
 * The condition of a filter at the time of the preview. Runs that were created later are never meant, so the new runs of a retry are not
 * retried by a later step.
 */
export async function toBulkQuery(
  filter: NonNullable<RunSelection['filter']>,
  createdBefore: number,
  views: TypedViews,
): Promise<RunQuery> {
  const query = await toRunQuery(filter, views)
  return { ...query, madeTo: Math.min(query.madeTo ?? createdBefore, createdBefore) }
}

export function cancelMessage(
  runId: string,
  reason: string | null | undefined,
): Envelope & { readonly to: { readonly kind: 'run' } } {
  const why = reason ? { code: 'CANCELED_BY_REQUEST', message: reason } : {}
  return { to: { kind: 'run', id: runId }, event: { type: 'cancel', ...why } }
}

/** @throws Failure BAD_USER_INPUT */
export function requireDistinct(runIds: readonly string[]): void {
  const duplicate = runIds.findIndex((id, index) => runIds.indexOf(id) !== index)
  if (duplicate >= 0) throw badSelection(`selection.runIds.${duplicate}`, `${runIds[duplicate]} occurs twice`)
}

export interface BulkStep {
  readonly action: BulkRunAction
  readonly selection: RunSelection
  readonly createdBefore?: number | null | undefined
  readonly expectedCount?: number | null | undefined
  readonly after?: string | null | undefined
}

/** Selects the runs of a step. @throws Failure BAD_USER_INPUT, CONFLICT if more runs are left than the caller expects */
export async function selectRuns(step: BulkStep, views: TypedViews): Promise<SelectedRuns> {
  const { action, selection, createdBefore, expectedCount, after } = step
  const { filter, runIds } = selection
  if (filter === undefined) {
    for (const [name, given] of Object.entries({ createdBefore, expectedCount, after }))
      if (given !== null && given !== undefined) throw badSelection(name, 'must be omitted with selection.runIds')
    requireDistinct(runIds)
    return { runIds, remaining: 0 }
  }
  if (createdBefore === null || createdBefore === undefined)
    throw badSelection('createdBefore', 'is required with selection.filter. `previewBulkRunAction` returns it')
  if (expectedCount === null || expectedCount === undefined)
    throw badSelection(
      'expectedCount',
      'is required with selection.filter. `previewBulkRunAction` returns it as `targetCount`',
    )
  const query = {
    ...(await toBulkQuery(filter, createdBefore, views)),
    ...targetsOf(action),
    ...(after ? { idBefore: after } : {}),
  }
  const [rows, count] = await Promise.all([
    views.list({ ...query, descending: true, limit: bulkRunsMax }),
    views.count(query),
  ])
  if (count > expectedCount)
    throw new Failure(
      'CONFLICT',
      `${count} runs match, more than the ${expectedCount} of the preview. Nothing was done. Preview the action again.`,
      { details: { field: 'expectedCount', count } },
    )
  return { runIds: rows.map(({ id }) => id), remaining: Math.max(0, count - rows.length) }
}

function badSelection(field: string, problem: string): Failure {
  return new Failure('BAD_USER_INPUT', `${field}: ${problem}.`, { details: { field } })
}
