import type * as v from 'valibot'
import { currenciesMax, installationUsage, type usageTotals } from '../../../spec/runs/usage.ts'
import { addTotals, noUsage, type UsageTotals } from '../../../spec/runs/usageTotals.ts'
import { everyRow } from '../core/everyRow.ts'
import { handle } from '../handler.ts'

const noTotals: v.InferInput<typeof usageTotals> = { ...noUsage, costs: [] }

/** Every agent, session and plan of a list has totals, and most of them have used nothing. */
export function toUsageTotals(totals: UsageTotals | undefined): v.InferInput<typeof usageTotals> {
  if (totals === undefined) return noTotals
  const { costs, ...tokens } = totals
  const amounts = Object.entries(costs).map(([currency, amount]) => ({ currency, amount }))
  return { ...tokens, costs: amounts.toSorted((a, b) => b.amount - a.amount).slice(0, currenciesMax) }
}

export const usageHandlers = [
  handle(installationUsage, ['views'], {
    read: async (_input, { views }) => {
      const agents = await everyRow(views, { kind: 'agent' })
      return toUsageTotals(agents.reduce((sum, { context }) => addTotals(sum, context.usage ?? noUsage), noUsage))
    },
  }),
]
