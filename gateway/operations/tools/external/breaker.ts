/**
 * Keeps a server that fails from being asked over and over: past so many failures in a row it is left alone for a while, and then
 * one request tries it. That it is left alone, and for how long, its actor decides and every process sees; failures are counted
 * here. The actor is told only where that changes something.
 */
import type { Logger } from 'pino'
import type { Clock } from '../../../../actors/ports/clock.ts'
import type { ActorEvent } from '../../../../spec/core/actor.ts'
import { ExternalCallFailed } from '../../../../spec/tools/external.ts'
import { RateLimiter, type RatePolicy } from '../../../limits/rateLimiter.ts'
import type { System } from '../../../messages.ts'
import { isServersFault, ServerRefused } from './problems.ts'
import type { Server } from './servers.ts'

export interface BreakerOptions {
  readonly system: System
  readonly clock: Clock
  readonly log: Logger
}

/** What is worth telling of a success; a call's is only that there was an answer. */
export interface Learned {
  readonly toolCount: number
  /** Told though nothing has changed. */
  readonly asked: boolean
}

/** The failures in a row after which a server is left alone. */
const failurePolicy: RatePolicy = { limit: 5, windowMs: 60_000, of: 'failures in a row' }
/** What is known of a server's tools is not noted more often, where it is the same. */
const notedMs = 300_000

export class Breaker {
  readonly #options: BreakerOptions
  readonly #failures: RateLimiter
  /** Servers that one request is trying, after they were left alone. */
  readonly #tried = new Set<string>()

  constructor(options: BreakerOptions) {
    this.#options = options
    this.#failures = new RateLimiter(options.clock, failurePolicy)
  }

  /** @throws ExternalCallFailed CIRCUIT_OPEN; what the work throws */
  async run<T>(server: Server, work: () => Promise<T>, learned?: (result: T) => Learned): Promise<T> {
    const trying = this.#enter(server)
    try {
      const result = await work()
      await this.#succeeded(server, learned?.(result))
      return result
    } catch (error) {
      if (isServersFault(error)) await this.#failed(server, (error as Error).message)
      else if (error instanceof ServerRefused) await this.#succeeded(server)
      throw error
    } finally {
      if (trying) this.#tried.delete(server.id)
    }
  }

  /** Whether this is the one that tries it. */
  #enter({ id, status, openUntil }: Server): boolean {
    if (status !== 'UNREACHABLE') return false
    const now = this.#options.clock.now()
    if (openUntil !== null && now < openUntil)
      throw leftAlone(`for ${Math.ceil((openUntil - now) / 1_000)} s more, after several consecutive failures`)
    if (this.#tried.has(id)) throw leftAlone('while one request tests whether it answers again')
    this.#tried.add(id)
    return true
  }

  async #succeeded(server: Server, learned?: Learned): Promise<void> {
    this.#failures.reset(failureKey(server))
    if (server.status === 'REACHABLE' && !this.#isNews(server, learned)) return
    await this.#tell(server, {
      type: 'answered',
      endpointRevision: server.endpointRevision,
      toolCount: learned?.toolCount ?? null,
    })
  }

  #isNews({ toolCount, discoveredAt }: Server, learned: Learned | undefined): boolean {
    if (learned === undefined) return false
    const noted = discoveredAt !== null && this.#options.clock.now() - discoveredAt < notedMs
    return learned.asked || learned.toolCount !== toolCount || !noted
  }

  async #failed(server: Server, message: string): Promise<void> {
    const key = failureKey(server)
    this.#failures.count(key)
    const open = this.#failures.isExhausted(key) || server.status === 'UNREACHABLE'
    if (open) this.#failures.reset(key)
    if (!open && server.status === 'DEGRADED') return
    await this.#tell(server, { type: 'failed', endpointRevision: server.endpointRevision, message, open })
  }

  /** A call does not fail for it. */
  async #tell({ id, name }: Server, event: ActorEvent): Promise<void> {
    const { system, clock, log } = this.#options
    const origin = {
      cause: 'effect',
      principal: 'system',
      requestId: 'external servers',
      receivedAt: clock.now(),
    } as const
    if (event.type === 'failed')
      log.warn({ mcpServer: id, name, problem: event.message }, 'an external MCP server failed')
    await system.ask({ to: { kind: 'mcpServer', id }, event }, origin).catch((error: unknown) => {
      log.warn({ mcpServer: id, err: error }, 'the health of an external MCP server could not be noted')
    })
  }
}

/** Failures of another endpoint, or with other headers, do not count. */
const failureKey = ({ id, endpointRevision }: Server): string => `${id} ${endpointRevision}`

function leftAlone(why: string): ExternalCallFailed {
  return new ExternalCallFailed(
    'TRANSPORT_ERROR',
    'CIRCUIT_OPEN',
    `The server is not called ${why}. Try again later, or refresh the server.`,
  )
}
