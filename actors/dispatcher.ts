/**
 * Carries out effects after they are durable. An effect runs at least once, with its outbox row's ID as idempotency key; a
 * message to another actor (`tell`) takes effect exactly once, because its row is deleted in the receiver's own commit.
 */
import type { Tell } from '../machines/define.ts'
import type { ActorEvent, ActorRef, Json, PendingEffect } from '../spec/actor.ts'
import type { Failure } from '../spec/failure.ts'
import type { Outcome } from './cell.ts'
import { conflicts } from './decide.ts'
import type { Clock, NewEffect, Outbox } from './ports.ts'

export interface EffectRequest {
  /** Idempotency key: the same at each attempt. */
  readonly id: string
  readonly actor: ActorRef
  readonly params: Json
}

/** Does it, and answers with the event that the actor is to have, if any. Rejects where it is to be tried again. */
export type EffectHandler = (request: EffectRequest) => Promise<ActorEvent | undefined>

/** An effect on its way: durable, and carried out by this process. */
export interface Due extends NewEffect {
  readonly actor: ActorRef
  readonly attempts: number
  readonly requestId: string
}

/** An event for an actor that answers or delivers the outbox row `consumes`; the row goes with the step that it causes. */
export interface EventDelivery {
  readonly to: ActorRef
  readonly event: ActorEvent
  readonly create?: Tell['create']
  readonly consumes: string | undefined
  readonly from: ActorRef
  readonly requestId: string
}

export interface DispatcherPorts {
  readonly outbox: Outbox
  readonly clock: Clock
  readonly owner: string
  /** 0 to 1; spreads retries. */
  random(): number
  readonly handlers: ReadonlyMap<string, EffectHandler>
  deliver(delivery: EventDelivery): Promise<Outcome>
  problem(error: unknown, context: Readonly<Record<string, unknown>>): void
}

export const attemptLimit = 8
const claimMs = 30_000
const claimLimit = 500
const slowestRetryMs = 60_000

export class Dispatcher {
  readonly #ports: DispatcherPorts
  /** What this process is carrying out, so that the reconciler does not begin it a second time. */
  readonly #underWay = new Set<string>()
  #done: string[] = []
  #flushing = false
  #stopped = false

  constructor(ports: DispatcherPorts) {
    this.#ports = ports
  }

  get underWay(): number {
    return this.#underWay.size
  }

  /** Begins nothing more. What is under way ends, or stays in the outbox for the next process. */
  stop(): void {
    this.#stopped = true
  }

  /** An effect of a step that is durable now. */
  dispatch(effect: Due): void {
    if (this.#stopped || this.#underWay.has(effect.id)) return
    this.#underWay.add(effect.id)
    const carriedOut = effect.type === 'tell' ? this.#tell(effect) : this.#run(effect)
    void carriedOut
      .catch((error: unknown) => this.#ports.problem(error, { effect: effect.id, type: effect.type }))
      .finally(() => this.#underWay.delete(effect.id))
  }

  /** What a dead process, a crash or a retry left: found by looking, not by being told. */
  async reconcile(): Promise<void> {
    const { outbox, clock, owner } = this.#ports
    await outbox.beat(owner, clock.now())
    const found = await outbox.claim(owner, clock.now(), claimMs, claimLimit)
    for (const effect of found) this.dispatch({ ...effect, requestId: `effect:${effect.id}` })
    for (const effect of await outbox.untold(claimLimit)) this.#tellAgain(effect)
  }

  takeDone(): readonly string[] {
    const done = this.#done
    this.#done = []
    return done
  }

  restoreDone(ids: readonly string[]): void {
    this.#done.push(...ids)
  }

  /** Removes the rows of what is confirmed and has found no batch to go with. */
  async flush(): Promise<void> {
    if (this.#flushing || this.#done.length === 0) return
    this.#flushing = true
    const ids = this.takeDone()
    try {
      await this.#ports.outbox.done(ids)
    } catch (error) {
      this.#done.push(...ids)
      this.#ports.problem(error, { effects: ids.length })
    } finally {
      this.#flushing = false
    }
  }

  #confirm(id: string): void {
    this.#done.push(id)
  }

  async #tell(effect: Due): Promise<void> {
    const tell = effect.params as unknown as Tell
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
      // What is to be made exists already: it was made by this message or by an equal one.
      if (reason === conflicts.exists) return this.#confirm(id)
      // Whoever has the name may be about to give it up, by a message that this one has overtaken.
      if (reason === conflicts.taken && effect.attempts + 1 < attemptLimit) return this.#later(effect, failure.message)
    }
    await this.#answer(effect, refusalOf(effect, tell, failure), tell.to)
  }

  async #run(effect: Due): Promise<void> {
    const handler = this.#ports.handlers.get(effect.type)
    if (handler === undefined) return this.#spent(effect, `there is no handler for the effect ${effect.type}`)
    let event: ActorEvent | undefined
    try {
      event = await handler({ id: effect.id, actor: effect.actor, params: effect.params })
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      this.#ports.problem(error, { effect: effect.id, type: effect.type, attempts: effect.attempts + 1 })
      if (effect.attempts + 1 >= attemptLimit) return this.#spent(effect, problem)
      return this.#later(effect, problem)
    }
    if (event === undefined) this.#confirm(effect.id)
    else await this.#answer(effect, event, effect.actor)
  }

  /** Tells the actor how its effect ended. Where its chart no longer listens, the effect is spent all the same. */
  async #answer(effect: Due, event: ActorEvent, from: ActorRef): Promise<void> {
    const { id, actor, requestId } = effect
    const outcome = await this.#ports.deliver({ to: actor, event, consumes: id, from, requestId })
    if (outcome.type === 'refused' && isNoAnswer(outcome.failure)) return this.#later(effect, outcome.failure.message)
    this.#confirmUnlessConsumed(effect, outcome)
  }

  /** A step takes the row with it; an answer that wrote nothing leaves it. */
  #confirmUnlessConsumed(effect: Due, outcome: Outcome): void {
    if (outcome.type !== 'stepped' && outcome.type !== 'consumed') this.#confirm(effect.id)
  }

  /** Exponential back-off with full jitter, kept in the row so that it survives this process. */
  async #later(effect: Due, problem: string): Promise<void> {
    const { outbox, clock, random } = this.#ports
    if (this.#stopped) return
    const ceiling = Math.min(slowestRetryMs, 200 * 2 ** Math.min(effect.attempts, 10))
    await outbox.retry(effect.id, effect.attempts + 1, clock.now() + Math.ceil(random() * ceiling), problem)
  }

  /** Its attempts are spent: the row waits for an operator, and the actor shows an INCIDENT unless it is terminal. */
  async #spent(effect: Due, problem: string): Promise<void> {
    await this.#ports.outbox.fail(effect.id, problem)
    await this.#tellFailed(effect, problem)
  }

  /** A process died between the two: the row says failed and its actor does not know. */
  #tellAgain(effect: PendingEffect): void {
    const { id, failure = '' } = effect
    if (this.#stopped || this.#underWay.has(id)) return
    this.#underWay.add(id)
    void this.#tellFailed({ ...effect, requestId: `effect:${id}` }, failure)
      .catch((error: unknown) => this.#ports.problem(error, { effect: id, type: effect.type }))
      .finally(() => this.#underWay.delete(id))
  }

  /** Told again until it is known; a machine counts each effect once, by its ID. A refusal is of a terminal actor. */
  async #tellFailed(effect: Due, problem: string): Promise<void> {
    const { id, actor, type, requestId } = effect
    const event = { type: 'effectFailed', effectId: id, effect: type, problem }
    const outcome = await this.#ports.deliver({ to: actor, event, consumes: undefined, from: actor, requestId })
    if (outcome.type === 'refused' && outcome.failure.retryable) return
    await this.#ports.outbox.told(id)
  }
}

/** A refusal is an answer: the sender hears of it where its chart listens. */
function refusalOf(effect: Due, tell: Tell, failure: Failure): ActorEvent {
  return {
    type: 'refused',
    effect: effect.type,
    told: tell.event.type,
    by: tell.to,
    code: failure.code,
    message: failure.message,
    ...(tell.echo === undefined ? undefined : { echo: tell.echo }),
  }
}

/** What can be asked again, and what was met by a defect: the message stays until it is answered. */
function isNoAnswer(failure: Failure): boolean {
  return failure.retryable || failure.code === 'INTERNAL'
}
