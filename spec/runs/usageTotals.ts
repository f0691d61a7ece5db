/** The tokens that the models of coding CLIs used, as the agents report them at the end of a run. */
import type { Json } from '../core/actor.ts'

export type RunUsage = {
  readonly inputTokens: number
  readonly outputTokens: number
  /** The input tokens that came from a cache. Null if the CLI does not report them. */
  readonly cachedInputTokens: number | null
  readonly cost: { readonly amount: number; readonly currency: string } | null
}

/** The usage of many runs. */
export type UsageTotals = {
  /** The runs whose CLI reported its usage. */
  readonly runCount: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedInputTokens: number
  /** The amounts by their currency. */
  readonly costs: Readonly<Record<string, number>>
}

export const noUsage: UsageTotals = { runCount: 0, inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, costs: {} }

/** The usage in the result of a job. Null if there is none. An agent may send anything, so a value of another form counts as absent. */
export function readUsage(result: Json | undefined): RunUsage | null {
  const { inputTokens, outputTokens, cachedInputTokens, cost } = Object(Object(result).usage)
  if (!isCount(inputTokens) || !isCount(outputTokens)) return null
  const { amount, currency } = Object(cost)
  const hasCost = isCount(amount) && typeof currency === 'string' && /^[A-Z]{3}$/.test(currency)
  return {
    inputTokens,
    outputTokens,
    cachedInputTokens: isCount(cachedInputTokens) ? cachedInputTokens : null,
    cost: hasCost ? { amount, currency } : null,
  }
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER

export function addUsage(totals: UsageTotals = noUsage, usage: RunUsage | null | undefined): UsageTotals {
  if (usage === null || usage === undefined) return totals
  const { inputTokens, outputTokens, cachedInputTokens, cost } = usage
  return {
    runCount: totals.runCount + 1,
    inputTokens: totals.inputTokens + inputTokens,
    outputTokens: totals.outputTokens + outputTokens,
    cachedInputTokens: totals.cachedInputTokens + (cachedInputTokens ?? 0),
    costs: cost === null ? totals.costs : addCosts(totals.costs, { [cost.currency]: cost.amount }),
  }
}

export function addTotals(one: UsageTotals, other: UsageTotals): UsageTotals {
  return {
    runCount: one.runCount + other.runCount,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
    costs: addCosts(one.costs, other.costs),
  }
}

function addCosts(one: UsageTotals['costs'], other: UsageTotals['costs']): UsageTotals['costs'] {
  const sums = { ...one }
  for (const [currency, amount] of Object.entries(other)) sums[currency] = (sums[currency] ?? 0) + amount
  return sums
}
