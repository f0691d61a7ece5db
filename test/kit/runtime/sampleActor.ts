/** An actor of one kind in memory, to which a test sends one event after the other. It keeps the messages of its last transition. */
import assert from 'node:assert/strict'
import type { MachineContext, Tell } from '../../../machines/framework/define.ts'
import { machines } from '../../../machines/machines.ts'
import type { ActorEvent, Json } from '../../../spec/core/actor.ts'
import type { ActorKind } from '../../../spec/core/ids.ts'
import { applyEvent, begin, type PlannedAction, type Result, type Snapshot, stateOf, tellsOf } from './applyEvent.ts'
import { at, inits } from './samples/samples.ts'

export class SampleActor<C extends MachineContext = MachineContext> {
  readonly #kind: ActorKind
  #snapshot: Snapshot
  #actions: readonly PlannedAction[]
  #now = at

  constructor(kind: ActorKind, id: string, init: Readonly<Record<string, Json>> = {}) {
    this.#kind = kind
    const first = begin(machines[kind], { id, init: { ...inits[kind], ...init }, at })
    this.#snapshot = first.snapshot
    this.#actions = first.actions
  }

  /** The event must be accepted. Without a time of its own, it comes a second after the previous one. */
  send(event: ActorEvent): this {
    const result = this.try(event)
    assert.equal(result.type, 'accepted', `${event.type} is ${JSON.stringify(result)} in ${this.state}`)
    return this
  }

  try(event: ActorEvent): Result {
    this.#now += 1_000
    const result = applyEvent(machines[this.#kind], this.#snapshot, { at: this.#now, ...event })
    if (result.type === 'accepted') this.#take(result.snapshot, result.actions)
    return result
  }

  #take(snapshot: Snapshot, actions: readonly PlannedAction[]): void {
    this.#snapshot = snapshot
    this.#actions = actions
  }

  get state(): string {
    return stateOf(this.#snapshot)
  }

  get context(): C {
    return this.#snapshot.state.context as C
  }

  /** The timers that run. `due` is in milliseconds since 1970. */
  get timers(): readonly { readonly event: string; readonly due: number }[] {
    return this.#snapshot.timers.map(({ event, due }) => ({ event, due }))
  }

  /** The messages of the last transition, as `kind.event`. */
  get sent(): string[] {
    return this.messages.map(({ to, event }) => `${to.kind}.${event.type}`)
  }

  /** The messages of the last transition. */
  get messages(): readonly Tell[] {
    return tellsOf(this.#actions)
  }

  /** The messages and effects of the last transition. */
  get actions(): readonly PlannedAction[] {
    return this.#actions
  }
}
