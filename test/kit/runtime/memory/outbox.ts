import { type NextAttempt, type Outbox, silentMs } from '../../../../actors/ports/outbox.ts'
import type { TimerCheck, TimerIndex } from '../../../../actors/ports/timerIndex.ts'
import type { PendingEffect } from '../../../../spec/core/actor.ts'
import { bornClaimedMs } from '../../../../storage/journal/batch.ts'
import type { MemoryState } from './state.ts'

export class MemoryOutbox implements Outbox {
  readonly #state: MemoryState

  constructor(state: MemoryState) {
    this.#state = state
  }

  async beat(owner: string, now: number): Promise<void> {
    const { processes, outbox } = this.#state
    processes.set(owner, now)
    for (const [dead, seenAt] of processes) if (seenAt < now - silentMs) processes.delete(dead)
    for (const [id, held] of outbox) {
      const { claimedBy, claimedUntil, effect } = held
      const aged = claimedUntil > now && claimedUntil <= now + bornClaimedMs - silentMs
      if (aged && claimedBy !== undefined && !processes.has(claimedBy) && effect.failure === undefined) {
        outbox.set(id, { ...held, claimedBy: undefined, claimedUntil: now })
      }
    }
  }

  async claim(owner: string, now: number, forMs: number, limit: number): Promise<readonly PendingEffect[]> {
    const free = [...this.#state.outbox.values()]
      .filter(({ effect, claimedUntil }) => effect.failure === undefined && claimedUntil <= now)
      .sort((a, b) => a.claimedUntil - b.claimedUntil)
      .slice(0, limit)
    const claimed = free.map((held) => {
      const attempts = held.effect.attempts + (held.claimedBy === owner ? 0 : 1)
      return { ...held, effect: { ...held.effect, attempts }, claimedBy: owner, claimedUntil: now + forMs }
    })
    for (const held of claimed) this.#state.outbox.set(held.effect.id, held)
    return claimed.map(({ effect }) => effect).sort((a, b) => a.due - b.due)
  }

  async retry(id: string, owner: string, { attempts, failures, due }: NextAttempt): Promise<void> {
    const held = this.#state.outbox.get(id)
    if (held?.claimedBy !== owner || held.effect.failure !== undefined) return
    const effect = { ...held.effect, attempts, failures, due }
    this.#state.outbox.set(id, { ...held, effect, claimedBy: undefined, claimedUntil: due })
  }

  async fail(id: string, owner: string, problem: string): Promise<boolean> {
    const held = this.#state.outbox.get(id)
    if (held?.claimedBy !== owner || held.effect.failure !== undefined) return false
    this.#state.outbox.set(id, { ...held, effect: { ...held.effect, failure: problem }, claimedBy: undefined })
    return true
  }

  async unreported(limit: number): Promise<readonly PendingEffect[]> {
    return [...this.#state.outbox.values()]
      .filter(({ effect, reported }) => effect.failure !== undefined && !reported)
      .map(({ effect }) => effect)
      .slice(0, limit)
  }

  async markReported(id: string): Promise<void> {
    const held = this.#state.outbox.get(id)
    if (held?.effect.failure !== undefined) this.#state.outbox.set(id, { ...held, reported: true })
  }

  async done(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#state.removeEffect(id)
  }
}

export class MemoryTimerIndex implements TimerIndex {
  readonly #state: MemoryState

  constructor(state: MemoryState) {
    this.#state = state
  }

  async due(now: number, limit: number, kinds: readonly string[]) {
    return [...this.#state.actors.values()]
      .filter(({ kind }) => kinds.includes(kind))
      .flatMap(({ kind, id, nextDue }) =>
        nextDue === undefined || nextDue > now ? [] : [{ ref: { kind, id }, due: nextDue }],
      )
      .sort((a, b) => a.due - b.due)
      .slice(0, limit)
  }

  async rearm(checks: readonly TimerCheck[], now: number) {
    for (const { ref, seq, nextDue } of checks) {
      const actor = this.#state.actors.get(ref.id)
      if (actor?.seq === seq && actor.nextDue !== undefined && actor.nextDue <= now) {
        this.#state.actors.set(ref.id, { ...actor, nextDue })
      }
    }
  }
}
