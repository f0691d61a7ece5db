import { setTimeout as sleep } from 'node:timers/promises'
import {
  CommitFailed,
  type CommitResult,
  CommitUncertain,
  type EffectDecision,
  type Journal,
  type KnownState,
  type LoadRequest,
  type LostReason,
  type StoredActor,
  type Write,
} from '../../../../actors/ports/journal.ts'
import type { ActorRef, Columns } from '../../../../spec/core/actor.ts'
import { bornClaimedMs, frameBatch } from '../../../../storage/journal/batch.ts'
import { mostChanges, mostTransitions } from '../../../../storage/journal/changes.ts'
import { journalEntry } from '../../../../storage/sql/rows.ts'
import type { Failures } from './failures.ts'
import type { MemoryActor, MemoryState } from './state.ts'

/** The journal's guarantees on a map: commits are executed one after the other, and each is atomic. */
export class MemoryJournal implements Journal {
  readonly #state: MemoryState
  readonly #owner: string
  readonly #failures: Failures
  #last: Promise<unknown> = Promise.resolve()

  constructor(state: MemoryState, owner: string, failures: Failures) {
    this.#state = state
    this.#owner = owner
    this.#failures = failures
  }

  async load(requests: readonly LoadRequest[]): Promise<ReadonlyMap<string, StoredActor>> {
    await this.#present()
    const found = requests.flatMap(({ id, kind, known }) => {
      const stored = this.#state.actors.get(id)
      if (stored?.kind !== kind) return []
      const changed = known && this.#changedSince(stored, known)
      return [changed === undefined ? storedWithMembers(this.#state, stored) : this.#delta(stored, changed)]
    })
    return new Map(found.map((actor) => [actor.id, actor]))
  }

  commit(batch: readonly Write[], doneEffects: readonly string[]): Promise<CommitResult> {
    const result = this.#last.then(() => this.#carryOut(batch, doneEffects))
    this.#last = result.catch(() => undefined)
    return result
  }

  async settle(batch: readonly Write[]): Promise<readonly boolean[]> {
    await this.#last
    while (this.#failures.away?.() === true) await sleep(5)
    return batch.map(({ ref, seq }) =>
      (this.#state.journal.get(ref.id) ?? []).some(({ entry, owner }) => entry.seq === seq && owner === this.#owner),
    )
  }

  async idempotent(key: string) {
    await this.#present()
    const record = this.#state.idempotency.get(key)
    return record && { inputHash: record.inputHash, actorId: record.actor }
  }

  /** The same rule as in PostgreSQL: `journal/load.ts` explains it. Undefined if the whole actor must be read. */
  #changedSince(stored: MemoryActor, known: KnownState): ReadonlySet<string> | undefined {
    const steps = this.#state.journal.get(stored.id) ?? []
    const from = steps.findIndex(
      ({ entry, owner }) => entry.seq === known.seq && entry.at === known.changedAt && owner === known.owner,
    )
    const since = steps.slice(from + 1)
    const isKnown = from >= 0 && stored.createdAt === known.createdAt && since.length === stored.seq - known.seq
    if (!isKnown || since.length > mostTransitions || since.some(({ members }) => members.length > mostChanges))
      return undefined
    return new Set(since.flatMap(({ members }) => members))
  }

  #delta(stored: MemoryActor, changed: ReadonlySet<string>): StoredActor {
    const whole = storedWithMembers(this.#state, stored)
    const members = whole.members.filter(([key]) => changed.has(key))
    const standing = new Set(members.map(([key]) => key))
    return { ...whole, members, delta: { removed: [...changed].filter((key) => !standing.has(key)) } }
  }

  async #carryOut(batch: readonly Write[], doneEffects: readonly string[]): Promise<CommitResult> {
    const { lost: forestalled, indexes } = frameBatch(batch, doneEffects, this.#owner)
    const delay = this.#failures.delay?.() ?? 0
    if (delay > 0) await sleep(delay)
    if (this.#failures.away?.() === true) throw new CommitFailed('The storage is unavailable.', 'repeatable')
    const fate = this.#failures.commit?.(batch) ?? 'carriedOut'
    if (fate === 'failed') throw new CommitFailed('The commit failed.', 'invalid')
    if (fate === 'repeatable') throw new CommitFailed('The commit failed.', 'repeatable')
    if (fate === 'untoldNotWritten') throw new CommitUncertain('The answer was lost.')

    const lost = new Map<number, LostReason>(forestalled)
    const tx = this.#state.nextTx++
    for (const index of indexes) {
      const write = batch[index]
      const reason = write && this.#apply(write, tx)
      if (reason !== undefined) lost.set(index, reason)
    }
    for (const id of doneEffects) this.#state.removeEffect(id)
    if (fate === 'untoldWritten') throw new CommitUncertain('The answer was lost.')
    return { lost }
  }

  #apply(write: Write, tx: number): LostReason | undefined {
    const reason = this.#obstacle(write)
    if (reason !== undefined) return reason
    const state = this.#state
    const { ref, seq, at, columns } = write
    const before = state.actors.get(ref.id)
    const clean = withoutUndefined(columns)
    state.actors.set(ref.id, {
      ...ref,
      seq,
      owner: this.#owner,
      machine: write.machine,
      columns: clean,
      nextDue: write.nextDue,
      snapshot: write.snapshot,
      init: before?.init ?? write.init ?? '{}',
      createdAt: before?.createdAt ?? at,
      changedAt: at,
    })
    for (const key of keysOf(ref.kind, before?.columns)) state.keys.delete(key)
    for (const key of keysOf(ref.kind, clean)) state.keys.set(key, ref.id)
    const entry = journalEntry({ ...(ref as ActorRef), ...write.entry, actor: ref.id, seq, at, status: columns.status })
    const steps = state.journal.get(ref.id) ?? []
    steps.push({ entry, owner: this.#owner, tx, members: write.members.map(({ key }) => key) })
    state.journal.set(ref.id, steps)
    for (const { id, type, params } of write.effects) {
      const effect = { id, actor: ref as ActorRef, type, params, attempts: 1, failures: 0, due: at }
      state.outbox.set(id, { effect, claimedUntil: at + bornClaimedMs, claimedBy: this.#owner, reported: false })
    }
    const members = state.members.get(ref.id) ?? new Map()
    for (const { key, value } of write.members) {
      if (value === undefined) members.delete(key)
      else members.set(key, value)
    }
    if (members.size > 0) state.members.set(ref.id, members)
    else state.members.delete(ref.id)
    if (write.document !== undefined) state.documents.set(ref.id, write.document)
    const { measurement } = write
    if (measurement && (state.measurements.get(measurement.runId)?.endedAt ?? null) === null)
      state.measurements.set(measurement.runId, measurement)
    if (write.consumes !== undefined) state.outbox.delete(write.consumes)
    if (write.decides !== undefined) this.#settle(write.decides, at)
    if (write.idempotency !== undefined) {
      const { key, inputHash, made = ref } = write.idempotency
      state.idempotency.set(key, { inputHash, actor: made.id, at })
    }
    return undefined
  }

  #settle({ effectId, decision }: EffectDecision, at: number): void {
    const held = this.#state.outbox.get(effectId)
    if (held === undefined) return
    if (decision === 'giveUp') this.#state.outbox.delete(effectId)
    else if (decision === 'reportFailure') this.#state.outbox.set(effectId, { ...held, reported: true })
    else {
      const { failure: _, ...rest } = held.effect
      const effect = { ...rest, attempts: 0, failures: 0, due: at }
      this.#state.outbox.set(effectId, { effect, claimedUntil: at, claimedBy: undefined, reported: false })
    }
  }

  #obstacle({ ref, expected, consumes, decides, idempotency, columns }: Write): LostReason | undefined {
    const stored = this.#state.actors.get(ref.id)
    if (consumes !== undefined) {
      const held = this.#state.outbox.get(consumes)
      if (held === undefined || held.effect.failure !== undefined) return 'consumed'
    }
    if (decides !== undefined) {
      const held = this.#state.outbox.get(decides.effectId)
      const mayKnow = decides.decision !== 'reportFailure'
      if (held?.effect.failure === undefined || held.reported !== mayKnow) return 'consumed'
    }
    if (idempotency !== undefined && this.#state.idempotency.has(idempotency.key)) return 'idempotency'
    if (expected === 'absent') {
      if (stored !== undefined) return 'exists'
    } else if (stored?.seq !== expected.seq || stored.owner !== expected.owner) return 'fence'
    const taken = keysOf(ref.kind, columns).some((key) => (this.#state.keys.get(key) ?? ref.id) !== ref.id)
    return taken ? 'unique' : undefined
  }

  async #present(): Promise<void> {
    if (this.#failures.away?.() === true) throw new Error('The storage is unavailable.')
  }
}

export function storedWithMembers(state: MemoryState, actor: MemoryActor): StoredActor {
  const members = [...(state.members.get(actor.id) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))
  return { ...actor, members }
}

function keysOf(kind: string, columns: Columns | undefined): readonly string[] {
  return [columns?.uniqueKey, columns?.otherKey].flatMap((key) => (key === undefined ? [] : `${kind} ${key}`))
}

function withoutUndefined(columns: Columns): Columns {
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as unknown as Columns
}
