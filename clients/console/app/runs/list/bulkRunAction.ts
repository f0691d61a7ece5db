/** A bulk action on runs: its preview, and its steps. */
import type { EnumValue } from '../../data/graphql.ts'
import { graphql, type ResultOf } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import { createRepeatKeys } from '../../parts/forms/repeatKeys.ts'
import type { RunFilter } from './runFilters.ts'

const previewQuery = graphql(`query ($action: BulkRunAction!, $selection: RunSelectionInput!) {
  previewBulkRunAction(action: $action, selection: $selection) {
    matchingCount targetCount acceptingCount uncheckedCount createdBefore refusals { message count }
  }
}`)
const performMutation = graphql(`mutation ($input: PerformBulkRunActionInput!) {
  performBulkRunAction(input: $input) { results { runId done code message run { id title } } remainingCount continueAfter }
}`)

export type BulkRunAction = EnumValue<'BulkRunAction'>
export type BulkPreview = ResultOf<typeof previewQuery>['previewBulkRunAction']
export type BulkResult = ResultOf<typeof performMutation>['performBulkRunAction']['results'][number]

/** Runs by their IDs, or all runs of a filter. */
export type Selection = { readonly ids: readonly string[] } | { readonly filter: RunFilter }

/** The number of listed runs that the API takes at once. */
const listedMax = 100

/** @throws ApiError */
export async function previewBulkAction(action: BulkRunAction, selection: Selection): Promise<BulkPreview> {
  const previews: BulkPreview[] = []
  for (const part of partsOf(selection))
    previews.push((await requestGraphql(previewQuery, { action, selection: part })).previewBulkRunAction)
  return previews.reduce((sum, preview) => ({
    matchingCount: sum.matchingCount + preview.matchingCount,
    targetCount: sum.targetCount + preview.targetCount,
    acceptingCount: sum.acceptingCount + preview.acceptingCount,
    uncheckedCount: sum.uncheckedCount + preview.uncheckedCount,
    createdBefore: sum.createdBefore,
    refusals: mergeRefusals([...sum.refusals, ...preview.refusals]),
  }))
}

function mergeRefusals(refusals: BulkPreview['refusals']): BulkPreview['refusals'] {
  const counts = new Map<string, number>()
  for (const { message, count } of refusals) counts.set(message, (counts.get(message) ?? 0) + count)
  return [...counts].map(([message, count]) => ({ message, count }))
}

/** Listed runs in parts that the API takes, or the one filter. */
function partsOf(selection: Selection) {
  if ('filter' in selection) return [{ filter: selection.filter }]
  const parts: { readonly runIds: readonly string[] }[] = []
  for (let from = 0; from < selection.ids.length; from += listedMax)
    parts.push({ runIds: selection.ids.slice(from, from + listedMax) })
  return parts
}

/**
 * The steps of a bulk action that was previewed. Each call of `next` does one. A step that failed is repeated with the same key, so
 * that it has no second effect.
 */
export interface BulkSteps {
  /** @returns undefined after the last step @throws ApiError */
  next(reason: string | null): Promise<readonly BulkResult[] | undefined>
}

export function createBulkSteps(action: BulkRunAction, selection: Selection, preview: BulkPreview): BulkSteps {
  const keys = createRepeatKeys()
  const parts = partsOf(selection)
  let expectedCount = preview.targetCount
  let after: string | null = null
  return {
    next: async (reason) => {
      const [part] = parts
      if (part === undefined) return undefined
      const bounds = 'filter' in part ? { createdBefore: preview.createdBefore, expectedCount, after } : {}
      const request = { action, selection: part, reason, ...bounds }
      const { performBulkRunAction: step } = await requestGraphql(performMutation, {
        input: { ...request, idempotencyKey: keys.get(request) },
      })
      expectedCount = step.remainingCount
      after = step.continueAfter
      if (after === null) parts.shift()
      return step.results
    },
  }
}
