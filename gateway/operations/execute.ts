/**
 * Executes operations: the one path of GraphQL, REST, MCP and the Tools API. In this order: access, input, what a run may touch, a log
 * line, and then the read of a query, the messages of a mutation, each with its idempotency key, an append or a heartbeat.
 */
import type { Logger } from 'pino'
import type { Access } from '../../spec/core/principal.ts'
import type { Schema } from '../../spec/core/types.ts'
import { authorize } from '../auth/access.ts'
import { logHandled } from '../observability/handled.ts'
import type { GatewayOptions } from '../options.ts'
import { parseInput } from './core/parseInput.ts'
import { refuseUnknownFields } from './core/unknownFields.ts'
import { executeAppend } from './executeAppend.ts'
import { executeHeartbeat } from './executeHeartbeat.ts'
import { executeMutation } from './executeMutation.ts'
import type { CallableOperation, Mutation, Query, Subscription, Topic } from './handler.ts'
import type { MaybePromise, RequestContext } from './requestContext.ts'
import { refuseForeignObjects } from './tools/containment.ts'

/** The target of a request: an operation, or a field that is served without one. */
interface Requested {
  readonly name: string
  readonly access: Access
  readonly input?: Schema | undefined
}

/** The parts of the service to which operations write. */
type ExecutionServices = Pick<GatewayOptions, 'system' | 'streams' | 'presence' | 'clock' | 'log'>

export class Executor {
  readonly #services: ExecutionServices
  readonly #log: Logger

  constructor(services: ExecutionServices) {
    this.#services = services
    this.#log = services.log
  }

  /** @throws Failure */
  execute(operation: CallableOperation, given: unknown, context: RequestContext): MaybePromise<unknown> {
    return this.#run(operation, this.accept(operation, given, context), context)
  }

  /**
   * Executes an operation as a tool. The endpoint's tool catalog lists the tools that its caller may use, so the access of the operation
   * is not checked. A run may touch only its own objects. Unknown fields are refused here, as the schema of GraphQL refuses them.
   * @throws Failure
   */
  async executeTool(operation: Query | Mutation, given: unknown, context: RequestContext): Promise<unknown> {
    refuseUnknownFields(operation.input, given)
    const input = parseInput(operation.input, given)
    await refuseForeignObjects(operation, input, context)
    logHandled(this.#log, operation.name, context)
    return await this.#run(operation, input, context)
  }

  /** Returns the topic of the subscription, and the input from which its payloads are made. @throws Failure */
  async follow(
    operation: Subscription,
    given: unknown,
    context: RequestContext,
  ): Promise<{ readonly topic: Topic; readonly input: Readonly<Record<string, unknown>> }> {
    const input = this.accept(operation, given, context) as Readonly<Record<string, unknown>>
    return { topic: await operation.follow(input as never, context), input }
  }

  /** Checks the caller's access and the input, and returns the input. @throws Failure FORBIDDEN, UNAUTHENTICATED, BAD_USER_INPUT */
  accept({ name, access, input: schema }: Requested, given: unknown, context: RequestContext): unknown {
    authorize(name, access, context.principal)
    const input = parseInput(schema, given)
    logHandled(this.#log, name, context)
    return input
  }

  #run(operation: CallableOperation, input: unknown, context: RequestContext): MaybePromise<unknown> {
    switch (operation.kind) {
      case 'query':
        return operation.read(input as never, context)
      case 'mutation':
        return executeMutation(operation, input, context, this.#services.system)
      case 'append':
        return executeAppend(operation, input, context, this.#services)
      case 'heartbeat':
        return executeHeartbeat(operation, input, context, this.#services)
    }
  }
}
