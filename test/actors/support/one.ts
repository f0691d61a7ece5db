/** One actor, step by step, without mailbox or storage. */
import assert from 'node:assert/strict'
import type { Live } from '../../../actors/activation/live.ts'
import { type Turn, turnOf } from '../../../actors/activation/turn.ts'
import { decide, decideTimer } from '../../../actors/decide/decide.ts'
import { compile, type Logic } from '../../../actors/decide/logic.ts'
import type { Definition } from '../../../machines/framework/define.ts'
import type { ActorEvent, Json } from '../../../spec/core/actor.ts'

export const begun = 1_700_000_000_000

export class One {
  readonly #logic: Logic
  live: Live | undefined
  last: Turn | undefined

  constructor(definition: Definition, init: Readonly<Record<string, Json>> = {}) {
    this.#logic = compile(definition)
    this.send({ type: 'created' }, begun, init)
  }

  send(event: ActorEvent, at: number, create?: Readonly<Record<string, Json>>): void {
    const ref = { kind: this.#logic.definition.kind, id: 'x_1' }
    const decision = decide(this.#logic, ref, this.live, { event, create, origin: originAt(at) }, at)
    assert.equal(decision.type, 'transition')
    if (decision.type === 'transition') this.#take(turnOf(this.#logic, decision.transition, 'one'))
  }

  /** Whether one of its timers was due. */
  wake(at: number): boolean {
    const transition = this.live && decideTimer(this.#logic, this.live, at, at, originAt(at))
    if (transition !== undefined) this.#take(turnOf(this.#logic, transition, 'one'))
    return transition !== undefined
  }

  #take(turn: Turn): void {
    this.last = turn
    this.live = turn.next
  }
}

function originAt(receivedAt: number) {
  return { cause: 'request', principal: 'usr_test', requestId: 'r1', receivedAt } as const
}
