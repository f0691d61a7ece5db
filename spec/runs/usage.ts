/** The tokens that the models of coding CLIs used. */
import * as v from 'valibot'
import { query } from '../core/operation.ts'
import { atMost, int, named } from '../core/types.ts'

/** Currencies in an answer. */
export const currenciesMax = 10

const cost = named(
  'Cost',
  'An amount of money, as a coding CLI reported it.',
  v.object({
    amount: v.number(),
    currency: v.pipe(v.string(), v.description('The code of the currency (ISO 4217), for example `USD`.')),
  }),
)

const tokens = {
  inputTokens: v.number(),
  outputTokens: v.number(),
}

export const runUsage = named(
  'RunUsage',
  'The tokens that the model of a run used, as the coding CLI reported them.',
  v.object({
    ...tokens,
    cachedInputTokens: v.pipe(
      v.nullable(v.number()),
      v.description('The input tokens that came from a cache. Null if the CLI does not report them.'),
    ),
    cost: v.pipe(v.nullable(cost), v.description('Null if the CLI does not report it.')),
  }),
)

export const usageTotals = named(
  'UsageTotals',
  'The tokens that the models of ended runs used. Only runs whose coding CLI reports its usage are counted.',
  v.object({
    runCount: v.pipe(int, v.description('The number of the counted runs.')),
    ...tokens,
    cachedInputTokens: v.number(),
    costs: v.pipe(
      atMost(currenciesMax, cost),
      v.description(`The reported costs, a sum for each currency, at most ${currenciesMax}.`),
    ),
  }),
)

export const installationUsage = query({
  name: 'installationUsage',
  description:
    'The tokens that all runs used: the sum of `usage` of all agents. Runs that ended after their agent was revoked are not counted.',
  access: 'people',
  tool: {
    group: 'runs',
    name: 'get_installation_usage',
    title: 'Get token usage',
    description:
      'Returns the tokens and costs of all ended runs whose coding CLI reports them. `get_session`, `get_plan` and `get_agent` ' +
      'return `usage` of their own, and `result.usage` of `get_run` that of one run.',
  },
  input: v.object({}),
  output: usageTotals,
})
