/** DecidedActor actor, transition by transition, without a queue or storage. */
import assert from 'node:assert/strict'
import { type PreparedTransition, prepareTransition } from '../../../actors/activation/prepareTransition.ts'
import type { Snapshot } from '../../../actors/activation/snapshot.ts'
import type { AnyDefinition } from '../../../actors/anyKind.ts'
import { decide, decideTimer } from '../../../actors/decide/decide.ts'
import { compile, type Logic } from '../../../actors/decide/logic.ts'
import type { ActorEvent, Json } from '../../../spec/core/actor.ts'

export const begun = 1_700_000_000_000

export class DecidedActor {
  readonly #logic: Logic
  snapshot: Snapshot | undefined
  last: PreparedTransition | undefined

  constructor(definition: AnyDefinition, init: Readonly<Record<string, Json>> = {}) {
    this.#logic = compile(definition)
    this.send({ type: 'created' }, begun, init)
  }

  send(event: ActorEvent, at: number, create?: Readonly<Record<string, Json>>): void {
    const ref = { kind: this.#logic.definition.kind, id: 'x_1' }
    const decision = decide(this.#logic, ref, this.snapshot, { event, create, origin: originAt(at) }, at)
    assert.equal(decision.type, 'transition')
    if (decision.type === 'transition') this.#take(prepareTransition(this.#logic, decision.transition, 'one'))
  }

  /** Whether one of its timers was due. */
  wake(at: number): boolean {
    const transition = this.snapshot && decideTimer(this.#logic, this.snapshot, at, at, originAt(at))
    if (transition !== undefined) this.#take(prepareTransition(this.#logic, transition, 'one'))
    return transition !== undefined
  }

  #take(prepared: PreparedTransition): void {
    this.last = prepared
    this.snapshot = prepared.after
  }
}

function originAt(receivedAt: number) {
  return { cause: 'request', principal: 'usr_test', requestId: 'r1', receivedAt } as const
}
