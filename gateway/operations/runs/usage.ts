import type * as v from 'valibot'
import { currenciesMax, installationUsage, type usageTotals } from '../../../spec/runs/usage.ts'
import { addTotals, noUsage, type UsageTotals } from '../../../spec/runs/usageTotals.ts'
import { everyRow } from '../core/everyRow.ts'
import { handle } from '../handler.ts'

export function toUsageTotals({ costs, ...tokens }: UsageTotals = noUsage): v.InferInput<typeof usageTotals> {
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
