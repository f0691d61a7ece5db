/** The limits of a principal: the depth and the cost of one request, and the points in five minutes. */
import type { Clock } from '../../../actors/ports/clock.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { type Principal, principalName } from '../../../spec/core/principal.ts'
import type { Limits } from '../../limits/limits.ts'
import { type RateBudget, RateLimiter } from '../../limits/rateLimiter.ts'
import { ratePolicies } from '../../limits/ratePolicies.ts'
import type { Operation } from '../../operations/handler.ts'
import type { Prepared } from '../pipeline/prepared.ts'
import type { PreparationMeter } from '../prepare.ts'
import type { Charge } from './charge.ts'
import type { Cost, ExpensiveField, RequestListCounts } from './cost.ts'

const unitsPerPoint = 100

export class Budgets {
  readonly #points: RateLimiter
  readonly #exempt: RateLimiter
  readonly #exemptNames: ReadonlySet<string>
  readonly #limits: Limits

  constructor(operations: readonly Operation[], limits: Limits, clock: Clock) {
    this.#limits = limits
    const { graphqlPoints, agentReports } = ratePolicies(limits)
    this.#points = new RateLimiter(clock, graphqlPoints)
    this.#exempt = new RateLimiter(clock, agentReports)
    this.#exemptNames = new Set(operations.filter(isExemptFromCost).map((one) => one.name))
  }

  /** Charges for parsing and validating documents. A refused document costs at least one point. */
  preparation(principal: Principal): PreparationMeter {
    const name = principalName(principal)
    return {
      begin: () => this.#points.check(name),
      accepted: (units) => this.#points.count(name, Math.floor(units / unitsPerPoint)),
      refused: (units) => this.#points.count(name, pointsOf(units)),
    }
  }

  /** The principal's remaining points. */
  left(principal: Principal): RateBudget {
    return this.#points.budget(principalName(principal))
  }

  /**
   * @param counts the sizes of its plain lists
   * @throws Failure COST_LIMIT_EXCEEDED, RATE_LIMITED
   */
  spend(
    prepared: Prepared,
    variables: Readonly<Record<string, unknown>> | undefined,
    principal: Principal,
    counts?: RequestListCounts,
  ): Charge {
    const name = principalName(principal)
    const cost = prepared.cost.measure(variables, counts)
    const excess = this.#excess(cost)
    if (excess) {
      this.#points.count(name)
      throw excess(prepared.cost.mostExpensive(variables, counts))
    }
    if (this.#isExempt(prepared)) {
      this.#exempt.take(name, prepared.rootFields.length)
      return { units: cost.units, points: 0, budget: this.#points.budget(name) }
    }
    const points = pointsOf(cost.units)
    return { units: cost.units, points, budget: this.#points.take(name, points) }
  }

  /** @returns a function that makes the refusal; undefined if the cost is within the limits */
  #excess({ units, depth }: Cost): ((most: ExpensiveField | undefined) => Failure) | undefined {
    const { graphqlDepth, graphqlCostPerQuery } = this.#limits
    if (depth > graphqlDepth)
      return () =>
        new Failure(
          'COST_LIMIT_EXCEEDED',
          `The request is ${depth} levels deep, and ${graphqlDepth} are allowed. Split it into several requests.`,
          { details: { depth, limit: graphqlDepth } },
        )
    if (units > graphqlCostPerQuery)
      return (most) =>
        new Failure(
          'COST_LIMIT_EXCEEDED',
          `The request costs ${units} units, and ${graphqlCostPerQuery} are allowed. ${adviceOn(most)}`,
          { details: { units, limit: graphqlCostPerQuery, ...(most ? { field: most.path } : {}) } },
        )
    return undefined
  }

  #isExempt(prepared: Prepared): boolean {
    if (prepared.operation.operation !== 'mutation') return false
    return prepared.rootFields.every((field) => this.#exemptNames.has(field.name.value))
  }
}

function isExemptFromCost(operation: Operation): boolean {
  if (operation.kind === 'mutation') return operation.exemptFromCost === true
  return operation.kind === 'append' || operation.kind === 'heartbeat'
}

function adviceOn(most: ExpensiveField | undefined): string {
  if (most === undefined) return 'Split it into several requests.'
  const change = most.hasFirst
    ? 'Set a smaller `first` there, or select fewer objects in it.'
    : 'Select fewer objects in it.'
  return `The most expensive field is \`${most.path}\`. ${change}`
}

function pointsOf(units: number): number {
  return Math.max(1, Math.ceil(units / unitsPerPoint))
}
