/** The actor system. It composes activations, effects, timers and the reconciler behind `ask`. */
import type { ActorRef, ActorRow } from '../spec/core/actor.ts'
import { Failure } from '../spec/core/failure.ts'
import { effectNotFailed } from '../spec/operators/operatorAction.ts'
import type {
  AcceptedOperatorActions,
  MessagePreview,
  PreviewableMessage,
} from '../spec/operators/operatorActionReader.ts'
import { ActivationTable } from './activation/activationTable.ts'
import type { Outcome } from './activation/delivery.ts'
import type { PreparedTransition } from './activation/prepareTransition.ts'
import type { AnyActorRef, KindDefinition } from './anyKind.ts'
import { compile, type Logic } from './decide/logic.ts'
import { listAcceptedActions } from './decide/operatorActions.ts'
import { previewMessage } from './decide/previewMessage.ts'
import { internal, stopping } from './decide/refusals.ts'
import type { AskOptions, Envelope, KeptRequest, Origin, Reply, System } from './messages.ts'
import { Dispatcher, type EffectHandler, type EventDelivery } from './outbox/dispatcher.ts'
import type { Clock } from './ports/clock.ts'
import type { TransitionFeed } from './ports/feed.ts'
import type { Journal } from './ports/journal.ts'
import type { Outbox } from './ports/outbox.ts'
import type { QuarantineStore } from './ports/quarantineStore.ts'
import type { TimerIndex } from './ports/timerIndex.ts'
import { SharedTimers } from './sharedTimers.ts'
import { Quarantine } from './timers/quarantine.ts'
import { TimerScheduler } from './timers/timerScheduler.ts'

export interface SystemOptions<K extends string> {
  readonly definitions: readonly KindDefinition<K>[]
  /** The kind of an ID. Undefined if the text is not an ID of these kinds. */
  kindOfId(id: string): K | undefined
  readonly journal: Journal
  readonly outbox: Outbox
  readonly timers: TimerIndex
  readonly quarantine: QuarantineStore
  readonly feed: TransitionFeed
  readonly clock: Clock
  /** The token of this process, new at each start. */
  readonly owner: string
  /** Whether other processes may write the same actors. */
  readonly shared: boolean
  readonly handlers: ReadonlyMap<string, EffectHandler>
  /** Effects that are turned off. They are not written, so that they cost no row. */
  readonly unserved?: ReadonlySet<string>
  /**
   * How many messages may wait for one actor (1,000 if omitted), and for all of them (50,000). Messages are also refused if as many effects
   * are in flight.
   */
  readonly messagesPerActor?: number
  readonly messagesWaiting?: number
  /** Milliseconds after which an idle actor is removed from memory. 60,000 if omitted. */
  readonly idleMs?: number
  random?(): number
  problem(error: unknown, context: Readonly<Record<string, unknown>>): void
}

const defaultDeadlineMs = 10_000
const leastDeadlineMs = 1_000
/** The interval at which idle actors are removed from memory, and this process sends its heartbeat. */
const tickMs = 1_000

/**
 * @typeParam K the kinds of its actors. Their rows have no other kinds: definitions with these kinds wrote them, and a message is only sent
 * to actors of these kinds. So rows that are returned are cast to `K`.
 */
export class ActorSystem<K extends string> implements System<K> {
  readonly #options: SystemOptions<K>
  readonly #logics: ReadonlyMap<string, Logic>
  readonly #activations: ActivationTable
  readonly #quarantine: Quarantine
  readonly #dispatcher: Dispatcher
  readonly #timerScheduler: TimerScheduler
  readonly #deadlines: SharedTimers
  /** Idempotency keys whose first request is in flight. A repeat waits for it. */
  readonly #keys = new Map<string, Promise<unknown>>()
  #feedEnds: (() => void)[] = []
  #cancelTick: (() => void) | undefined
  #stopping = false
  #transitions = 0
  #batches = 0

  constructor(options: SystemOptions<K>) {
    this.#options = options
    this.#deadlines = new SharedTimers(options.clock)
    this.#logics = new Map(options.definitions.map((definition) => [definition.kind, compile(definition, options)]))
    const { messagesWaiting = 50_000 } = options
    this.#dispatcher = new Dispatcher({
      // Messages are refused when half of this number of effects is in flight. The other half is for effects of messages that were already
      // accepted.
      effectLimit: messagesWaiting * 2,
      outbox: options.outbox,
      clock: options.clock,
      owner: options.owner,
      random: options.random ?? Math.random,
      handlers: options.handlers,
      deliver: (delivery) => this.#deliver(delivery),
      problem: options.problem,
    })
    this.#quarantine = new Quarantine({
      store: options.quarantine,
      clock: options.clock,
      problem: options.problem,
    })
    this.#activations = new ActivationTable({
      quarantine: this.#quarantine,
      logic: (kind) => this.logic(kind),
      journal: options.journal,
      clock: options.clock,
      owner: options.owner,
      shared: options.shared,
      messagesPerActor: options.messagesPerActor ?? 1_000,
      messagesWaiting,
      effectsInFlight: () => this.#dispatcher.inFlight,
      random: options.random ?? Math.random,
      // Published without a row, as a hint of another process is. In every process it only announces which sequence is stored.
      onContended: (ref, seq) => options.feed.publish([{ ref, seq }]),
      onCommitted: (transitions) => this.#onCommitted(transitions),
      onNoTimerDue: (check) => this.#timerScheduler.correct(check),
      deliveredEffects: this.#dispatcher,
      problem: options.problem,
    })
    this.#timerScheduler = new TimerScheduler({
      timers: options.timers,
      clock: options.clock,
      kinds: [...this.#logics.keys()],
      onDue: (ref) => this.#activations.timerDue(ref),
      problem: (error) => options.problem(error, { part: 'timers' }),
    })
  }

  logic(kind: string): Logic {
    const logic = this.#logics.get(kind)
    if (logic === undefined) throw new Error(`there is no machine of kind ${kind}`)
    return logic
  }

  get logics(): readonly Logic[] {
    return [...this.#logics.values()]
  }

  /** Numbers for metrics: what is in memory and waits, and what was done since the start. */
  get load() {
    return {
      ...this.#activations.load,
      effects: this.#dispatcher.inFlight,
      quarantined: this.#quarantine.size,
      quarantinedEffects: this.#dispatcher.quarantined,
      transitions: this.#transitions,
      batches: this.#batches,
    }
  }

  /** Starts to deliver timers, to execute effects that earlier processes left, and to remove idle actors from memory. */
  start(): void {
    this.#timerScheduler.start()
    void this.#tryQuarantined()
    if (this.#options.shared) {
      this.#feedEnds = [...this.#logics.keys()].map((kind) =>
        this.#options.feed.onKind(kind, ({ ref, seq, row }) => {
          if (row === undefined) this.#activations.invalidate(ref, seq)
        }),
      )
    }
    this.#tick()
  }

  /** Accepts no new messages. Resolves when the messages that were accepted before are durable and answered, or after `withinMs`. */
  async stop(withinMs = 5_000): Promise<void> {
    this.#stopping = true
    this.#timerScheduler.stop()
    this.#dispatcher.stop()
    this.#cancelTick?.()
    for (const end of this.#feedEnds.splice(0)) end()
    await Promise.race([
      this.#activations.close(),
      new Promise<void>((resolve) => this.#options.clock.after(withinMs, resolve)),
    ])
    await this.#dispatcher.flush()
  }

  async ask(envelope: Envelope<K>, origin: Origin, options: AskOptions = {}): Promise<Reply<K>> {
    const { idempotency } = options
    if (idempotency === undefined) return (await this.#ask(envelope, origin, options)) as Reply<K>
    const inFlight = () => this.#keys.get(idempotency.key)
    // Nothing may be awaited between the last look and the entry in `#keys`. Otherwise two requests would be the first.
    for (let before = inFlight(); before !== undefined; before = inFlight()) await before.catch(() => {})
    const asked = this.#askOnce(envelope, origin, options, idempotency)
    this.#keys.set(idempotency.key, asked)
    try {
      return (await asked) as Reply<K>
    } finally {
      this.#keys.delete(idempotency.key)
    }
  }

  async peek(ref: ActorRef<K>): Promise<ActorRow<K> | undefined> {
    return (await this.#activations.peek(ref)) as ActorRow<K> | undefined
  }

  async readAcceptedActions(ref: ActorRef<K>): Promise<AcceptedOperatorActions<K> | undefined> {
    const snapshot = await this.#activations.readSnapshot(ref)
    return snapshot && (listAcceptedActions(this.logic(ref.kind), snapshot) as AcceptedOperatorActions<K>)
  }

  async previewMessage(message: PreviewableMessage<K>, now: number): Promise<MessagePreview<K>> {
    const snapshot = await this.#activations.readSnapshot(message.to)
    return previewMessage(this.logic(message.to.kind), snapshot, message, now) as MessagePreview<K>
  }

  async repeated({ key, inputHash }: NonNullable<AskOptions['idempotency']>): Promise<KeptRequest<K> | undefined> {
    await this.#keys.get(key)?.catch(() => {})
    const made = await this.#first(key, inputHash)
    return made && ({ made, row: await this.#activations.peek(made) } as KeptRequest<K>)
  }

  async #askOnce(
    envelope: Envelope<string>,
    origin: Origin,
    options: AskOptions,
    { key, inputHash }: NonNullable<AskOptions['idempotency']>,
  ): Promise<Reply<string>> {
    const made = await this.#first(key, inputHash)
    if (made !== undefined) return this.#repeat(envelope, made)
    try {
      return await this.#ask(envelope, origin, options)
    } catch (error) {
      // UNAVAILABLE is no refusal: the message was not decided, or there is no time left for another look.
      if (!(error instanceof Failure) || error.code === 'UNAVAILABLE') throw error
      // Another process may have carried out the same request in the meantime: its key is taken, or what it changed refuses this one.
      const since = await this.#first(key, inputHash)
      if (since === undefined) throw error
      return this.#repeat(envelope, since)
    }
  }

  async #repeat(envelope: Envelope<string>, made: AnyActorRef): Promise<Reply<string>> {
    // If the message is for another actor than the one that the request creates, the reply is the state of that actor.
    const row = await this.#activations.peek(envelope.create === undefined ? envelope.to : made)
    if (row === undefined) throw internal()
    return { row, repeated: true, made }
  }

  /** The actor that the first request with this key created or changed. @throws Failure CONFLICT */
  async #first(key: string, inputHash: string): Promise<AnyActorRef | undefined> {
    const first = await this.#options.journal.idempotent(key)
    if (first === undefined) return undefined
    if (first.inputHash !== inputHash) throw otherInput()
    const kind = this.#options.kindOfId(first.actorId)
    return kind && { kind, id: first.actorId }
  }

  #ask(envelope: Envelope<string>, origin: Origin, options: AskOptions): Promise<Reply<string>> {
    const { clock } = this.#options
    const { idempotency, deadlineMs = defaultDeadlineMs, spentMs = 0 } = options
    const leftMs = deadlineMs - Math.min(spentMs, Math.max(0, deadlineMs - leastDeadlineMs))
    return new Promise((resolve, reject) => {
      if (this.#stopping) {
        reject(stopping())
        return
      }
      const cancel = this.#deadlines.after(leftMs, () => reject(unanswered(deadlineMs)))
      const { to, event, create, operatorAction, expectedSequence } = envelope
      this.#activations.receive(to, {
        message: {
          event,
          create,
          origin,
          operatorAction,
          idempotency: idempotency && { ...idempotency, made: envelope.makes },
          expectedSequence,
        },
        deadline: clock.monotonic() + leftMs,
        end: (outcome) => {
          cancel()
          if (outcome.type === 'committed' || outcome.type === 'repeated') {
            resolve({ row: outcome.row, repeated: outcome.type === 'repeated' })
          } else if (outcome.type === 'consumed' && operatorAction !== undefined) {
            // Only operator actions on effects have an outbox row in an ask.
            reject(effectNotFailed(operatorAction))
          } else {
            reject(outcome.type === 'refused' ? outcome.failure : internal())
          }
        },
      })
    })
  }

  #deliver({ to, event, create, consumes, reportsFailure, from, requestId }: EventDelivery): Promise<Outcome> {
    const origin: Origin = {
      cause: to.id === from.id ? 'effect' : 'actor',
      causeId: consumes ?? reportsFailure ?? from.id,
      principal: from.id,
      requestId,
      receivedAt: this.#options.clock.now(),
    }
    return new Promise((end) => {
      this.#activations.receive(to, {
        message: { event, create, origin, consumes, reportsFailure },
        deadline: undefined,
        end,
      })
    })
  }

  #onCommitted(transitions: readonly PreparedTransition[]): void {
    this.#transitions += transitions.length
    this.#batches++
    const { feed, problem } = this.#options
    try {
      feed.publish(
        transitions.map(({ after, row, entry }) => ({ ref: after.ref, seq: after.seq, row, transition: entry })),
      )
    } catch (error) {
      // Timers and effects do not depend on the listeners of the feed.
      problem(error, { part: 'feed' })
    }
    for (const { after, entry, write } of transitions) {
      if (write.nextDue !== undefined) this.#timerScheduler.expect(write.nextDue)
      for (const effect of write.effects) {
        this.#dispatcher.dispatch({ ...effect, actor: after.ref, attempts: 1, failures: 0, requestId: entry.requestId })
      }
    }
  }

  /** Tries the quarantined actors again: this version of the program may process what an earlier one could not. */
  async #tryQuarantined(): Promise<void> {
    try {
      const refs = await this.#quarantine.adopt()
      for (const ref of refs) if (this.#logics.has(ref.kind)) this.#activations.timerDue(ref)
    } catch (error) {
      this.#options.problem(error, { part: 'quarantine' })
    }
  }

  /** A slow claim does not delay the heartbeats: the next tick sends its own. */
  async #beatAndReconcile(): Promise<void> {
    if (await this.#dispatcher.beat()) await this.#dispatcher.reconcile()
  }

  #tick(): void {
    const { clock, idleMs = 60_000 } = this.#options
    this.#activations.passivate(clock.now() - idleMs)
    this.#quarantine.expire()
    void this.#dispatcher.flush()
    void this.#beatAndReconcile()
    this.#cancelTick = clock.after(tickMs, () => {
      if (!this.#stopping) this.#tick()
    })
  }
}

function unanswered(deadlineMs: number): Failure {
  return new Failure(
    'UNAVAILABLE',
    `No answer within ${deadlineMs} ms. It may still be carried out: look before you repeat it, or repeat it with the same idempotencyKey.`,
    {
      retryAfterMs: 1_000,
    },
  )
}

function otherInput(): Failure {
  return new Failure('CONFLICT', 'This idempotencyKey was used with another input. Use a new key for a new request.', {
    details: { field: 'idempotencyKey' },
  })
}
