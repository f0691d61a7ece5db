/**
 * Carries out effects after they are durable. An effect runs at least once, with its outbox row's ID as idempotency key; a
 * message to another actor (`tell`) takes effect exactly once, because its row is deleted in the receiver's own commit.
 */

import type { ActorEvent, Json } from '../../spec/core/actor.ts'
import { type BackOffPolicy, backOffMs } from '../../spec/core/backOff.ts'
import { Failure } from '../../spec/core/failure.ts'
import type { DeliveredEffects } from '../activation/batchWriter.ts'
import type { Outcome } from '../activation/delivery.ts'
import type { AnyActorRef, AnyPendingEffect, AnyTell } from '../anyKind.ts'
import { conflicts } from '../decide/decide.ts'
import type { Clock } from '../ports/clock.ts'
import type { NewEffect } from '../ports/journal.ts'
import type { Outbox, UnreadableEffect } from '../ports/outbox.ts'
import { RetrySchedule } from '../retrySchedule.ts'
import { singleFlight } from '../singleFlight.ts'

export interface EffectRequest {
  /** Idempotency key: the same at each attempt. */
  readonly id: string
  readonly actor: AnyActorRef
  readonly params: Json
  /** Attempts before this one that ended with their process. */
  readonly interruptions: number
}

/** Executes the effect, and returns the event for its actor, if any. Rejects if the effect must be retried. */
export type EffectHandler = (request: EffectRequest) => Promise<ActorEvent | undefined>

/** A durable effect that this process carries out. */
export interface DueEffect extends NewEffect {
  readonly actor: AnyActorRef
  /** The present one included. */
  readonly attempts: number
  /** Of the attempts before, those that ended with a problem. */
  readonly failures: number
  readonly requestId: string
}

/** An event for an actor. It delivers the outbox row `consumes`, or answers it. The commit of the transition that it causes deletes the row. */
export interface EventDelivery {
  readonly to: AnyActorRef
  readonly event: ActorEvent
  readonly create?: AnyTell['create']
  readonly consumes: string | undefined
  /** The ID of the failed effect, if the event reports a failure. */
  readonly reportsFailure?: string
  readonly from: AnyActorRef
  readonly requestId: string
}

export interface DispatcherPorts {
  readonly outbox: Outbox
  readonly clock: Clock
  readonly owner: string
  /** Effects that may be in flight; the others stay in the outbox until there is room. */
  readonly effectLimit: number
  /** 0 to 1; spreads retries. */
  random(): number
  readonly handlers: ReadonlyMap<string, EffectHandler>
  deliver(delivery: EventDelivery): Promise<Outcome>
  problem(error: unknown, context: Readonly<Record<string, unknown>>): void
}

/** Attempts that fail before the effect is given up. */
export const attemptLimit = 8
/**
 * Attempts that fail with UNAVAILABLE before the effect is given up: the server is overloaded, or its database does not answer. With the pauses
 * of `retryPolicy` they take about an hour.
 */
export const unavailableLimit = 128
/**
 * Attempts that end with their process before the effect is given up, because its handler may be what ends the process. It is higher than
 * `attemptLimit`: a restart ends every attempt in flight, and a long effect is in flight at many restarts.
 */
export const interruptionLimit = 24
const claimMs = 30_000
const claimLimit = 500
const retryPolicy: BackOffPolicy = { firstMs: 200, factor: 2, mostMs: 60_000, jitter: 1 }

export class Dispatcher implements DeliveredEffects {
  readonly #ports: DispatcherPorts
  /** IDs of the effects that this process executes, so that the reconciler does not begin them a second time. */
  readonly #inFlight = new Set<string>()
  /** Effects that this program can't read, and failures that can't be reported: each would be tried again every second. */
  readonly #retries: RetrySchedule
  #delivered: string[] = []
  #flushing = false
  #stopped = false

  constructor(ports: DispatcherPorts) {
    this.#ports = ports
    this.#retries = new RetrySchedule(ports.clock)
  }

  get inFlight(): number {
    return this.#inFlight.size
  }

  get quarantined(): number {
    return this.#retries.size
  }

  /** Begins no more effects. Those in flight end, or stay in the outbox for the next process. */
  stop(): void {
    this.#stopped = true
  }

  /** Begins a durable effect. If there is no room, it stays in the outbox, and is claimed again when its claim has run out. */
  dispatch(effect: DueEffect): void {
    if (this.#stopped || this.#inFlight.has(effect.id)) return
    if (this.#room <= 0) return
    this.#inFlight.add(effect.id)
    const carriedOut = effect.type === 'tell' ? this.#tell(effect) : this.#run(effect)
    void carriedOut
      .catch((error: unknown) => this.#ports.problem(error, { effect: effect.id, type: effect.type }))
      .finally(() => this.#inFlight.delete(effect.id))
  }

  /** Returns false if storage did not take the beat, which is reported. At most one beat is in flight. */
  readonly beat = singleFlight(async (): Promise<boolean> => {
    const { outbox, clock, owner, problem } = this.#ports
    try {
      await outbox.beat(owner, clock.now())
      return true
    } catch (error) {
      problem(error, { part: 'heartbeat' })
      return false
    }
  })

  /**
   * Finds what a dead process, a crash or a retry left. At most one run is in flight. Call it only after a successful beat: a
   * process that does not beat counts as dead and keeps no claims.
   */
  readonly reconcile = singleFlight(async (): Promise<void> => {
    try {
      await this.#reconcile()
    } catch (error) {
      this.#ports.problem(error, { part: 'reconciler' })
    }
  })

  async #reconcile(): Promise<void> {
    const { outbox, clock, owner } = this.#ports
    const limit = Math.min(claimLimit, this.#room)
    const found = limit <= 0 ? [] : await outbox.claim(owner, clock.now(), claimMs, limit)
    const putOff = found.flatMap((effect) => {
      if ('unreadable' in effect) return [this.#putOff(effect)]
      this.dispatch({ ...effect, requestId: `effect:${effect.id}` })
      return []
    })
    await Promise.all(putOff)
    this.#retries.expire()
    // The oldest failures are returned first, and paused reports are among them. So the limit is raised by their number.
    for (const effect of await outbox.unreported(claimLimit + this.#retries.size)) {
      if (!this.#retries.isPaused(effect.id)) this.#reportAgain(effect)
    }
  }

  take(): readonly string[] {
    const delivered = this.#delivered
    this.#delivered = []
    return delivered
  }

  putBack(ids: readonly string[]): void {
    this.#delivered.push(...ids)
  }

  /** Deletes the rows of confirmed effects that no commit has deleted. */
  async flush(): Promise<void> {
    if (this.#flushing || this.#delivered.length === 0) return
    this.#flushing = true
    const ids = this.take()
    try {
      await this.#ports.outbox.done(ids)
    } catch (error) {
      this.#delivered.push(...ids)
      this.#ports.problem(error, { effects: ids.length })
    } finally {
      this.#flushing = false
    }
  }

  get #room(): number {
    return this.#ports.effectLimit - this.#inFlight.size
  }

  #confirm(id: string): void {
    this.#delivered.push(id)
  }

  async #tell(effect: DueEffect): Promise<void> {
    const tell = effect.params as unknown as AnyTell
    const { id, actor, requestId } = effect
    const outcome = await this.#ports.deliver({
      to: tell.to,
      event: tell.event,
      create: tell.create,
      consumes: id,
      from: actor,
      requestId,
    })
    if (outcome.type !== 'refused') return this.#confirmUnlessConsumed(effect, outcome)
    const { failure } = outcome
    if (isNoAnswer(failure)) return this.#later(effect, failure.message)
    if (tell.create !== undefined) {
      const reason = failure.details?.reason
      // The actor exists already: this message or an equal one created it.
      if (reason === conflicts.exists) return this.#confirm(id)
      // The actor that has the unique key may be about to release it, by a message that this one has overtaken.
      if (reason === conflicts.taken && effect.failures + 1 < attemptLimit) return this.#later(effect, failure.message)
    }
    await this.#answer(effect, refusalOf(effect, tell, failure), tell.to)
  }

  async #run(effect: DueEffect): Promise<void> {
    const handler = this.#ports.handlers.get(effect.type)
    if (handler === undefined) return this.#fail(effect, `there is no handler for the effect ${effect.type}`)
    const interruptions = effect.attempts - 1 - effect.failures
    if (interruptions >= interruptionLimit) return this.#fail(effect, interrupted(interruptions))
    let event: ActorEvent | undefined
    try {
      event = await handler({ id: effect.id, actor: effect.actor, params: effect.params, interruptions })
    } catch (error) {
      // The server rejects the requests of effects while it stops. The row stays in the outbox, and the next process executes it.
      if (this.#stopped) return
      const problem = error instanceof Error ? error.message : String(error)
      this.#ports.problem(error, { effect: effect.id, type: effect.type, attempts: effect.attempts })
      const limit = isUnavailable(error) ? unavailableLimit : attemptLimit
      if (effect.failures + 1 >= limit) return this.#fail(effect, problem)
      return this.#later(effect, problem)
    }
    if (event === undefined) this.#confirm(effect.id)
    else await this.#answer(effect, event, effect.actor)
  }

  /** Sends the outcome of the effect to its actor. If the state no longer accepts it, the effect is confirmed all the same. */
  async #answer(effect: DueEffect, event: ActorEvent, from: AnyActorRef): Promise<void> {
    const { id, actor, requestId } = effect
    const outcome = await this.#ports.deliver({ to: actor, event, consumes: id, from, requestId })
    if (outcome.type === 'refused' && isNoAnswer(outcome.failure)) return this.#later(effect, outcome.failure.message)
    this.#confirmUnlessConsumed(effect, outcome)
  }

  /** The commit of a transition deletes the row. An answer that wrote nothing leaves it. */
  #confirmUnlessConsumed(effect: DueEffect, outcome: Outcome): void {
    if (outcome.type !== 'committed' && outcome.type !== 'consumed') this.#confirm(effect.id)
  }

  /** The pause is kept in the row, so that it survives this process. */
  async #later(effect: DueEffect, problem: string): Promise<void> {
    const { outbox, clock, owner, random } = this.#ports
    if (this.#stopped) return
    const { id, attempts } = effect
    const failures = effect.failures + 1
    const pauseMs = Math.ceil(backOffMs(retryPolicy, failures, random))
    await outbox.retry(id, owner, { attempts, failures, due: clock.now() + pauseMs, problem })
  }

  /** Another version may be able to read it, so it is never given up. No attempt was made, so the claim is not counted. */
  async #putOff({ id, type, attempts, failures, unreadable: problem }: UnreadableEffect): Promise<void> {
    const { outbox, owner } = this.#ports
    const { retryAt, isReported } = this.#retries.fail(id)
    if (isReported) this.#ports.problem(new Error(problem), { effect: id, type, retryAt })
    await outbox.retry(id, owner, { attempts: attempts - 1, failures, due: retryAt, problem })
  }

  /**
   * Gives the effect up: the row waits for an operator, and the actor shows an INCIDENT unless it is terminal. If another process has answered
   * the effect, or is executing it, the outcome of that process counts.
   */
  async #fail(effect: DueEffect, problem: string): Promise<void> {
    const { outbox, owner } = this.#ports
    if (await outbox.fail(effect.id, owner, problem)) await this.#reportFailure(effect, problem)
  }

  /** The row has failed, and its actor was not notified: a process ended between the two, or the report got no answer. */
  #reportAgain(effect: Omit<AnyPendingEffect, 'params'>): void {
    const { id, failure = '' } = effect
    if (this.#stopped || this.#inFlight.has(id)) return
    this.#inFlight.add(id)
    void this.#reportFailure({ ...effect, requestId: `effect:${id}` }, failure)
      .catch((error: unknown) => this.#ports.problem(error, { effect: id, type: effect.type }))
      .finally(() => this.#inFlight.delete(id))
  }

  /**
   * Reports the failure to its actor, and is repeated until the report is recorded. The commit of the transition records it. If there is no
   * transition, this method does. An actor that is terminal refuses the report.
   */
  async #reportFailure(effect: Omit<DueEffect, 'params'>, problem: string): Promise<void> {
    const { id, actor, type, requestId } = effect
    const event = { type: 'effectFailed', effectId: id, effect: type, problem }
    const report = { event, consumes: undefined, reportsFailure: id }
    const outcome = await this.#ports.deliver({ to: actor, ...report, from: actor, requestId })
    if (outcome.type === 'refused' && isNoAnswer(outcome.failure)) {
      this.#retries.fail(id)
      return
    }
    this.#retries.clear(id)
    // `consumed`: the failure was reported already, or an operator has decided meanwhile.
    if (outcome.type === 'repeated' || outcome.type === 'refused') await this.#ports.outbox.markReported(id)
  }
}

const isUnavailable = (error: unknown): boolean => error instanceof Failure && error.code === 'UNAVAILABLE'

/** A refusal is an answer: the sender receives it if its state accepts `refused`. */
function refusalOf(effect: DueEffect, tell: AnyTell, failure: Failure): ActorEvent {
  return {
    type: 'refused',
    effect: effect.type,
    sent: tell.event.type,
    by: tell.to,
    code: failure.code,
    message: failure.message,
    ...(tell.echo === undefined ? undefined : { echo: tell.echo }),
  }
}

function interrupted(attempts: number): string {
  return `${attempts} of its attempts did not end, because the process of Signalbox ended during each of them.`
}

/** Whether the message stays until it is answered: the failure can be retried, or is a defect. */
function isNoAnswer(failure: Failure): boolean {
  return failure.retryable || failure.code === 'INTERNAL'
}
