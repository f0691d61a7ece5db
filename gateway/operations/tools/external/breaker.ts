/**
 * The circuit breaker of external servers. After several consecutive failures the circuit of a server opens: the server is not called
 * for some time. Then one request tests the server. The server's actor decides whether the circuit is open and for how long, so all
 * processes have the same state. Each process counts failures itself, and reports to the actor only what changes its state.
 */
import type { Logger } from 'pino'
import type { Clock } from '../../../../actors/ports/clock.ts'
import type { ActorEvent } from '../../../../spec/core/actor.ts'
import { ExternalCallFailed } from '../../../../spec/tools/external.ts'
import { RateLimiter, type RatePolicy } from '../../../limits/rateLimiter.ts'
import type { System } from '../../../messages.ts'
import { isServerFailure, ServerRefused } from './problems.ts'
import type { ExternalServer } from './servers.ts'

export interface BreakerOptions {
  readonly system: System
  readonly clock: Clock
  readonly log: Logger
}

/** The information from listing a server's tools. A call provides none. */
export interface ListingSummary {
  readonly toolCount: number
  /** Whether it is reported to the actor even if nothing has changed. */
  readonly isRequested: boolean
}

/** The consecutive failures after which the circuit opens. */
const failurePolicy: RatePolicy = { limit: 5, windowMs: 60_000, of: 'failures in a row' }
/** An unchanged number of tools is reported to the actor at most once in this time. */
const reportMs = 300_000

export class Breaker {
  readonly #options: BreakerOptions
  readonly #failures: RateLimiter
  /** The servers that a request is testing after their circuit was open. */
  readonly #tried = new Set<string>()

  constructor(options: BreakerOptions) {
    this.#options = options
    this.#failures = new RateLimiter(options.clock, failurePolicy)
  }

  /** @throws ExternalCallFailed CIRCUIT_OPEN, and the errors of the work */
  async run<T>(server: ExternalServer, work: () => Promise<T>, summarize?: (result: T) => ListingSummary): Promise<T> {
    const isTest = this.#enter(server)
    try {
      const result = await work()
      await this.#succeeded(server, summarize?.(result))
      return result
    } catch (error) {
      if (isServerFailure(error)) await this.#failed(server, (error as Error).message)
      else if (error instanceof ServerRefused) await this.#succeeded(server)
      throw error
    } finally {
      if (isTest) this.#tried.delete(server.id)
    }
  }

  /** @returns whether this request tests the server @throws ExternalCallFailed CIRCUIT_OPEN */
  #enter({ id, status, openUntil }: ExternalServer): boolean {
    if (status !== 'UNREACHABLE') return false
    const now = this.#options.clock.now()
    if (openUntil !== null && now < openUntil)
      throw circuitOpen(`for ${Math.ceil((openUntil - now) / 1_000)} s more, after several consecutive failures`)
    if (this.#tried.has(id)) throw circuitOpen('while one request tests whether it answers again')
    this.#tried.add(id)
    return true
  }

  async #succeeded(server: ExternalServer, learned?: ListingSummary): Promise<void> {
    this.#failures.reset(failureKey(server))
    if (server.status === 'REACHABLE' && !this.#isNews(server, learned)) return
    await this.#tell(server, {
      type: 'answered',
      endpointRevision: server.endpointRevision,
      toolCount: learned?.toolCount ?? null,
    })
  }

  #isNews({ toolCount, discoveredAt }: ExternalServer, learned: ListingSummary | undefined): boolean {
    if (learned === undefined) return false
    const noted = discoveredAt !== null && this.#options.clock.now() - discoveredAt < reportMs
    return learned.isRequested || learned.toolCount !== toolCount || !noted
  }

  async #failed(server: ExternalServer, message: string): Promise<void> {
    const key = failureKey(server)
    this.#failures.count(key)
    const open = this.#failures.isExhausted(key) || server.status === 'UNREACHABLE'
    if (open) this.#failures.reset(key)
    if (!open && server.status === 'DEGRADED') return
    await this.#tell(server, { type: 'failed', endpointRevision: server.endpointRevision, message, open })
  }

  /** Sends a message to the server's actor. If that fails, it is logged, and the call continues. */
  async #tell({ id, name }: ExternalServer, event: ActorEvent): Promise<void> {
    const { system, clock, log } = this.#options
    const origin = {
      cause: 'effect',
      principal: 'system',
      requestId: 'external servers',
      receivedAt: clock.now(),
    } as const
    if (event.type === 'failed') log.warn({ mcpServer: id, name, problem: event.message }, 'external MCP server failed')
    await system.ask({ to: { kind: 'mcpServer', id }, event }, origin).catch((error: unknown) => {
      log.warn({ mcpServer: id, err: error }, 'external MCP server health not recorded')
    })
  }
}

/** Failures of an earlier endpoint, or with earlier headers, do not count. */
const failureKey = ({ id, endpointRevision }: ExternalServer): string => `${id} ${endpointRevision}`

function circuitOpen(why: string): ExternalCallFailed {
  return new ExternalCallFailed(
    'TRANSPORT_ERROR',
    'CIRCUIT_OPEN',
    `The server is not called ${why}. Try again later, or refresh the server.`,
  )
}
