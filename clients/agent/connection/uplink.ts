import { agentRevokedReason } from '../../../spec/agents/agentRevoked.ts'
import { type BackOffPolicy, backOffMs } from '../../../spec/core/backOff.ts'
import { AgentFailure, ConnectionLost, ControlPlaneError, exitCodes, messageOf } from '../failures.ts'
import type { Logger } from '../log.ts'
import {
  agentConnect,
  agentJobOffered,
  type ConnectInput,
  type ConnectPayload,
  type JobOffer,
  type Operation,
} from '../operations.ts'
import { type Deferred, deferred, sleep } from '../wait.ts'
import { type Closed, type Connection, NotOpened, openConnection, reconnectPolicy } from './connection.ts'
import type { CredentialUse } from './credentialUse.ts'

/** The delays between the attempts at a request that the control plane refused temporarily. */
const repeatPolicy: BackOffPolicy = { firstMs: 100, factor: 2, mostMs: 10_000, jitter: 0.5 }

/** An authenticated connection of this agent. Its epoch is part of every request. */
export interface Session {
  epoch: number
  heartbeatSeconds: number
  ask<Input, Payload>(operation: Operation<Input, Payload>, input: Input): Promise<Payload>
  close(): void
}

export interface UplinkOptions {
  /** Addresses of the same control plane. The first one that responds is used. */
  urls: string[]
  credential: CredentialUse
  log: Logger
  /** The facts about the agent that each connection sends first. */
  facts(): ConnectInput
  /** Called with the control plane's state of the jobs, before any other use of the connection. */
  onConnected(payload: ConnectPayload): void
  onOffer(offer: JobOffer): void
  /** Returns whether this process still holds the agent's lock. */
  isLiving(): Promise<boolean>
}

/**
 * Keeps one connection to the control plane open. All other modules send requests through `ask`. It waits for a connection and
 * repeats requests that were interrupted or are retryable, so each request has one final response. This is correct only because every
 * operation of an agent is idempotent.
 */
export class Uplink {
  session: Session | undefined
  private readonly options: UplinkOptions
  private readonly stopping = new AbortController()
  private failures = 0
  private waiting: Deferred<Session> = deferred<Session>()
  private tries = 0
  private lastRefusal: ControlPlaneError | undefined
  private readonly sessionListeners: ((session: Session, ended: AbortSignal) => void)[] = []

  constructor(options: UplinkOptions) {
    this.options = options
  }

  /** `listener` runs at the start of every session. `ended` aborts at its end. */
  onSession(listener: (session: Session, ended: AbortSignal) => void): void {
    this.sessionListeners.push(listener)
  }

  /** Reconnects until stop(). Throws AgentFailure if the credential is rejected for good or the state folder is lost. */
  async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const startedAt = performance.now()
      const closed = await this.connectOnce()
      if (this.stopping.signal.aborted) return
      await this.decide(closed)
      // The pauses begin again after a connection that was open for a while, but not after one that closed immediately.
      if (performance.now() - startedAt > 5_000) this.failures = 0
      this.failures += 1
      const waitMs = backOffMs(reconnectPolicy, this.failures)
      this.options.log.warn('Not connected; trying again.', { ...closed, waitMs: Math.round(waitMs) })
      await sleep(waitMs, this.stopping.signal)
    }
  }

  stop(): void {
    this.stopping.abort()
    this.session?.close()
    this.waiting.reject(new ConnectionLost('The agent is stopping.'))
  }

  /** No more responses will arrive. */
  get stopped(): boolean {
    return this.stopping.signal.aborted
  }

  /** Closes the connection. run() opens the next one with the current credential. */
  reconnect(): void {
    this.failures = 0
    this.session?.close()
  }

  /**
   * Returns one final response, over several connections if needed. Throws ControlPlaneError for a refusal that is not retryable.
   * Throws ConnectionLost only if `signal` aborts or the agent stops.
   */
  async ask<Input, Payload>(
    operation: Operation<Input, Payload>,
    input: Input,
    signal?: AbortSignal,
  ): Promise<Payload> {
    for (let failures = 0; ; ) {
      const session = await this.ready(signal)
      try {
        return await session.ask(operation, input)
      } catch (error) {
        if (error instanceof ConnectionLost) await this.gone(session, signal)
        else if (error instanceof ControlPlaneError && error.retryable) {
          failures += 1
          await sleep(Math.max(backOffMs(repeatPolicy, failures), error.retryAfterMs ?? 0), signal)
        } else throw error
      }
    }
  }

  /** Returns the open session, or the next one. Throws ConnectionLost if `signal` aborts. */
  async ready(signal?: AbortSignal): Promise<Session> {
    if (signal?.aborted || this.stopping.signal.aborted) throw new ConnectionLost('No longer wanted.')
    if (this.session) return this.session
    if (!signal) return this.waiting.promise
    const aborted = deferred<Session>()
    const abort = () => aborted.reject(new ConnectionLost('No longer wanted.'))
    signal.addEventListener('abort', abort, { once: true })
    try {
      return await Promise.race([this.waiting.promise, aborted.promise])
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  /** Waits until a broken session is closed, so that no request uses it again. */
  private async gone(session: Session, signal?: AbortSignal): Promise<void> {
    session.close()
    while (this.session === session && !signal?.aborted) await sleep(10)
  }

  private async connectOnce(): Promise<Closed> {
    let connection: Connection | undefined
    this.lastRefusal = undefined
    try {
      connection = await openConnection(this.url, await this.options.credential.choose())
      const open = connection
      const payload = await this.greet(open)
      await this.options.credential.accepted()
      this.options.onConnected(payload)
      const session = this.toSession(open, payload)
      open.subscribe<{ agentJobOffered: JobOffer }>(
        agentJobOffered,
        { epoch: payload.epoch },
        (data) => this.options.onOffer(data.agentJobOffered),
        (error) => {
          this.lastRefusal = error
        },
      )
      this.options.log.info('Connected.', { agentId: payload.agentId, epoch: payload.epoch })
      return await this.serve(session, open)
    } catch (error) {
      connection?.close()
      if (error instanceof AgentFailure) throw error
      if (error instanceof NotOpened) {
        if (error.closed.code < 4400) this.tries += 1
        return error.closed
      }
      if (error instanceof ControlPlaneError) this.lastRefusal = error
      return { code: 1006, reason: messageOf(error) }
    }
  }

  private get url(): string {
    return this.options.urls[this.tries % this.options.urls.length] ?? ''
  }

  private async greet(connection: Connection): Promise<ConnectPayload> {
    const variables = { input: this.options.facts() }
    const data = await connection.request<{ agentConnect: ConnectPayload }>(agentConnect.document, variables)
    return data.agentConnect
  }

  private toSession(connection: Connection, { epoch, heartbeatSeconds }: ConnectPayload): Session {
    return {
      epoch,
      heartbeatSeconds,
      close: () => connection.close(),
      ask: async ({ document, field }, input) => {
        try {
          const data = await connection.request<Record<string, never>>(document, { input: { epoch, ...input } })
          return data[field] as never
        } catch (error) {
          // Both errors concern the connection, not the request. The request is repeated on the next connection, if there is one.
          if (error instanceof ControlPlaneError && ['STALE_EPOCH', 'UNAUTHENTICATED'].includes(error.code)) {
            this.lastRefusal = error
            connection.close()
            throw new ConnectionLost(error.message)
          }
          throw error
        }
      },
    }
  }

  private async serve(session: Session, connection: Connection): Promise<Closed> {
    const ended = new AbortController()
    this.session = session
    if (this.stopping.signal.aborted) connection.close()
    this.waiting.resolve(session)
    for (const listener of this.sessionListeners) listener(session, ended.signal)
    const closed = await connection.closed
    this.session = undefined
    if (!this.stopping.signal.aborted) this.waiting = deferred<Session>()
    ended.abort()
    return closed
  }

  /** Ends the program if it must not reconnect. */
  private async decide(closed: Closed): Promise<void> {
    const { credential } = this.options
    if (closed.code === 4401 || this.lastRefusal?.code === 'UNAUTHENTICATED')
      await credential.refused(closed.reason === agentRevokedReason)
    else credential.unavailable()
    if (this.lastRefusal?.code === 'STALE_EPOCH' || closed.reason.includes('STALE_EPOCH')) {
      this.options.log.warn('A newer connection of this agent took over; is its state folder in use elsewhere too?')
    }
    if (!(await this.options.isLiving())) {
      throw new AgentFailure(
        exitCodes.locked,
        'The state folder is no longer held by this process; another agent has it, so this one stops.',
      )
    }
  }
}
