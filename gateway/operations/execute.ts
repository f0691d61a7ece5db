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
import { containRun } from './tools/containment.ts'

/** What a request asks for: an operation, or a field that is served without one. */
interface Requested {
  readonly name: string
  readonly access: Access
  readonly input?: Schema | undefined
}

/** The parts of the service that take what operations lead to. */
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
   * As a tool: the endpoint's tool catalog, which lists what its caller may call, takes the place of the operation's own access. A
   * run may touch only what is its own. Unknown fields, which GraphQL's schema refuses, are refused here.
   * @throws Failure
   */
  async executeTool(operation: Query | Mutation, given: unknown, context: RequestContext): Promise<unknown> {
    refuseUnknownFields(operation.input, given)
    const input = parseInput(operation.input, given)
    await containRun(operation, input, context)
    logHandled(this.#log, operation.name, context)
    return await this.#run(operation, input, context)
  }

  /** Returns what the subscription follows, and its input, from which its payloads are made. @throws Failure */
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
