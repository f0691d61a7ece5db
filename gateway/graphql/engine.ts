/** Executes GraphQL operations for all surfaces: validation, cost limits, execution, and one form of errors. */
import {
  type ExecutionResult,
  execute,
  type FormattedExecutionResult,
  type GraphQLFormattedError,
  type GraphQLSchema,
} from 'graphql'
import type { Failure } from '../../spec/core/failure.ts'
import type { Principal } from '../../spec/core/principal.ts'
import { authorize } from '../auth/access.ts'
import { asFailure } from '../http/failures.ts'
import type { Limits } from '../limits/limits.ts'
import type { RateBudget } from '../limits/rateLimiter.ts'
import type { GatewayMetrics } from '../observability/metrics.ts'
import type { Executor } from '../operations/execute.ts'
import type { Operation } from '../operations/handler.ts'
import type { MaybePromise, RequestContext } from '../operations/requestContext.ts'
import type { GatewayOptions } from '../options.ts'
import { Compiler } from './compile.ts'
import { contextValue, type GraphqlContext } from './contextValue.ts'
import { executionError, failureError } from './errors.ts'
import { Budgets } from './limits/budget.ts'
import type { Charge } from './limits/charge.ts'
import { CostMeter, type RequestListCounts } from './limits/cost.ts'
import { listBounds } from './limits/listBounds.ts'
import { ListCounter } from './limits/listCounter.ts'
import { DocumentRefused } from './pipeline/documentRefused.ts'
import { createPipeline } from './pipeline/pipeline.ts'
import type { Prepared } from './pipeline/prepared.ts'
import { Preparer } from './prepare.ts'
import type { Parameters } from './schema/parameters.ts'
import { rootTypeOf } from './schema/rootType.ts'
import { buildCatalogSchema } from './schema/schema.ts'

export type Result = FormattedExecutionResult

export interface Executed {
  readonly json: string
  /** False if the variables were invalid. */
  readonly hasData: boolean
}

/** An error before the execution. */
export interface Refusal {
  readonly errors: readonly GraphQLFormattedError[]
  /** Undefined if the text, its variables or its shape was invalid. Then the media type determines the status. */
  readonly failure: Failure | undefined
}

export class GraphqlEngine {
  readonly schema: GraphQLSchema
  readonly operations: ReadonlyMap<string, Operation>
  readonly #preparer: Preparer
  readonly #budgets: Budgets
  readonly #listCounter: ListCounter
  readonly #compiler: Compiler
  readonly #options: GatewayOptions
  readonly #metrics: GatewayMetrics
  readonly #open: boolean

  constructor(options: GatewayOptions, executor: Executor, limits: Limits, metrics: GatewayMetrics) {
    const { operations, settings } = options
    this.#options = options
    this.#metrics = metrics
    this.#open = settings.graphqlSandbox
    this.schema = buildCatalogSchema(options, executor)
    this.operations = new Map(operations.map((operation) => [`${rootTypeOf(operation)} ${operation.name}`, operation]))
    this.#compiler = new Compiler(this.schema)
    const meter = new CostMeter(this.schema, operations, listBounds(options))
    const pipeline = createPipeline({ schema: this.schema, operations, limits, meter, isOpen: this.#open })
    this.#preparer = new Preparer(pipeline, limits.operationTextBytes)
    this.#budgets = new Budgets(operations, limits, options.clock)
    this.#listCounter = new ListCounter(this.schema, operations)
  }

  /** @throws DocumentRefused, Failure */
  prepare(parameters: Parameters, principal: Principal): Prepared {
    return this.#preparer.prepare(parameters, this.#budgets.preparation(principal))
  }

  /** Returns the remaining points of a principal. */
  budget(principal: Principal): RateBudget {
    return this.#budgets.left(principal)
  }

  /** @throws Failure */
  spend(prepared: Prepared, parameters: Parameters, request: RequestContext): MaybePromise<Charge> {
    if (prepared.access !== undefined) authorize('Introspection', prepared.access, request.principal)
    const spend = (counts?: RequestListCounts) =>
      this.#budgets.spend(prepared, parameters.variables, request.principal, counts)
    const counts = this.#listCounter.count(prepared, parameters, request)
    return counts instanceof Promise ? counts.then(spend) : spend(counts)
  }

  /** Executes queries and mutations. */
  async run(prepared: Prepared, parameters: Parameters, request: RequestContext, charge: Charge): Promise<Executed> {
    const context = contextValue(request, charge)
    const began = performance.now()
    const compiled = await this.#compiled(prepared, parameters, context)
    if (compiled !== undefined) {
      this.#measure(prepared, 'ok', began)
      return { json: compiled, hasData: true }
    }
    const result = await this.#execute(prepared, parameters, context)
    this.#measure(prepared, result.errors ? 'error' : 'ok', began)
    return { json: JSON.stringify(this.formatted(result, request.requestId)), hasData: result.data !== undefined }
  }

  /** On an error it returns undefined. graphql-js then executes the query again and reports the error. */
  async #compiled(prepared: Prepared, { variables }: Parameters, context: GraphqlContext): Promise<string | undefined> {
    try {
      return await this.#compiler.answer(prepared, variables, context)
    } catch {
      return undefined
    }
  }

  async #execute(prepared: Prepared, parameters: Parameters, context: GraphqlContext): Promise<ExecutionResult> {
    return (await execute({
      schema: this.schema,
      document: prepared.document,
      operationName: parameters.operationName ?? null,
      variableValues: parameters.variables ?? null,
      contextValue: context,
      hideSuggestions: !this.#open,
    })) as ExecutionResult
  }

  formatted({ data, errors }: ExecutionResult, requestId: string): Result {
    const context = { requestId, log: this.#options.log }
    return {
      ...(errors ? { errors: errors.map((error) => executionError(error, context)) } : {}),
      ...(data === undefined ? {} : { data: data as Record<string, unknown> | null }),
    }
  }

  refusal(error: unknown, requestId: string): Refusal {
    if (error instanceof DocumentRefused) return { errors: error.formatted(requestId), failure: undefined }
    const failure = asFailure(error, this.#options.log, requestId)
    return { errors: [failureError(failure, requestId)], failure }
  }

  #measure({ label }: Prepared, outcome: 'ok' | 'error', began: number): void {
    this.#metrics.graphql({ operation: label, outcome }, (performance.now() - began) / 1000)
  }
}
