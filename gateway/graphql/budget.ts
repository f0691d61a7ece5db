/** What a principal may ask: nothing too deep or too costly at once, and so many points in five minutes. */
import type { Clock } from '../../actors/ports.ts'
import { Failure } from '../../spec/failure.ts'
import type { Operation } from '../../spec/operation.ts'
import { type Principal, principalName } from '../../spec/principal.ts'
import type { Limits } from '../limits.ts'
import { type Budget, RateLimit } from '../rateLimit.ts'
import type { CostMeter } from './cost.ts'
import type { Prepared } from './prepare.ts'
import { rootFields } from './roots.ts'

const unitsPerPoint = 100

export class Budgets {
  readonly #points: RateLimit
  readonly #exempt: RateLimit
  readonly #exemptNames: ReadonlySet<string>
  readonly #meter: CostMeter
  readonly #limits: Limits

  constructor(meter: CostMeter, operations: readonly Operation[], limits: Limits, clock: Clock) {
    this.#meter = meter
    this.#limits = limits
    this.#points = new RateLimit(clock, limits.graphqlPointsPer5Minutes, limits.pointsWindowMs)
    this.#exempt = new RateLimit(clock, limits.agentReportsPerMinute, 60_000)
    this.#exemptNames = new Set(
      operations.filter((one) => one.kind === 'mutation' && one.exemptFromCost === true).map((one) => one.name),
    )
  }

  /** @throws Failure COST_LIMIT_EXCEEDED, RATE_LIMITED */
  spend(prepared: Prepared, variables: Readonly<Record<string, unknown>> | undefined, principal: Principal): Budget {
    const name = principalName(principal)
    const { units, depth } = this.#meter.measure(prepared.document, prepared.operation, variables)
    if (depth > this.#limits.graphqlDepth)
      throw new Failure(
        'COST_LIMIT_EXCEEDED',
        `The query is ${depth} levels deep; ${this.#limits.graphqlDepth} are allowed.`,
        {
          details: { depth, limit: this.#limits.graphqlDepth },
        },
      )
    if (units > this.#limits.graphqlCostPerQuery)
      throw new Failure(
        'COST_LIMIT_EXCEEDED',
        `The query costs ${units} units; ${this.#limits.graphqlCostPerQuery} are allowed.`,
        {
          details: { units, limit: this.#limits.graphqlCostPerQuery },
        },
      )
    if (this.#isExempt(prepared)) {
      this.#exempt.take(name, rootFields(prepared).length, 'heartbeats and appends')
      return this.#points.budget(name)
    }
    return this.#points.take(name, Math.max(1, Math.ceil(units / unitsPerPoint)), 'points')
  }

  #isExempt(prepared: Prepared): boolean {
    if (prepared.operation.operation !== 'mutation') return false
    return rootFields(prepared).every((field) => this.#exemptNames.has(field.name.value))
  }
}
