import type { Outbox, TimerIndex } from '../../actors/ports.ts'
import type { PendingEffect } from '../../spec/actor.ts'
import type { MemoryState } from './state.ts'

export class MemoryOutbox implements Outbox {
  readonly #state: MemoryState

  constructor(state: MemoryState) {
    this.#state = state
  }

  async claim(_owner: string, now: number, forMs: number, limit: number): Promise<readonly PendingEffect[]> {
    const free = [...this.#state.outbox.values()]
      .filter(({ effect, claimedUntil }) => effect.failure === undefined && claimedUntil <= now)
      .sort((a, b) => a.claimedUntil - b.claimedUntil)
      .slice(0, limit)
    for (const { effect } of free) this.#state.outbox.set(effect.id, { effect, claimedUntil: now + forMs })
    return free.map(({ effect }) => effect).sort((a, b) => a.due - b.due)
  }

  async retry(id: string, attempts: number, due: number, _problem: string): Promise<void> {
    const effect = this.#state.outbox.get(id)?.effect
    if (effect === undefined || effect.failure !== undefined) return
    this.#state.outbox.set(id, { effect: { ...effect, attempts, due }, claimedUntil: due })
  }

  async fail(id: string, problem: string): Promise<void> {
    const found = this.#state.outbox.get(id)
    if (found === undefined || found.effect.failure !== undefined) return
    this.#state.outbox.set(id, { ...found, effect: { ...found.effect, failure: problem } })
  }

  async revive(id: string, now: number): Promise<boolean> {
    const effect = this.#state.outbox.get(id)?.effect
    if (effect?.failure === undefined) return false
    const { failure: _, ...rest } = effect
    this.#state.outbox.set(id, { effect: { ...rest, attempts: 0, due: now }, claimedUntil: now })
    return true
  }

  async done(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#state.outbox.delete(id)
  }
}

export class MemoryTimerIndex implements TimerIndex {
  readonly #state: MemoryState

  constructor(state: MemoryState) {
    this.#state = state
  }

  async due(now: number, limit: number) {
    return [...this.#state.actors.values()]
      .flatMap(({ actor, nextDue }) =>
        nextDue === undefined || nextDue > now ? [] : [{ ref: { kind: actor.kind, id: actor.id }, due: nextDue }],
      )
      .sort((a, b) => a.due - b.due)
      .slice(0, limit)
  }
}
