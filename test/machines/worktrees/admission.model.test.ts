/**
 * Compares the queue with a naive implementation of the rules. The reference has one list, and checks after every event for each entry
 * whether the rules allow it to start. It has no heads, counts or indexes.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  blockedBy,
  isStopped,
  type QueuePosition,
  type SlotHolder,
} from '../../../gateway/operations/worktrees/blockedBy.ts'
import type { EntryKind } from '../../../machines/worktrees/admission.ts'
import type { QueueContext } from '../../../machines/worktrees/queueActions.ts'
import { queueMembers } from '../../../machines/worktrees/queueKeys.ts'
import { worktreeQueue } from '../../../machines/worktrees/worktreeQueue.ts'
import type { ActorEvent } from '../../../spec/core/actor.ts'
import { applyEvent, begin, type Result, type Snapshot, tellsOf } from '../../kit/runtime/applyEvent.ts'

type Kind = EntryKind

const kinds = ['PLAN', 'SESSION', 'WORKFLOW', 'BUILD'] as const satisfies readonly Kind[]

interface Wish {
  readonly id: string
  readonly kind: Kind
  limit: number
  readonly exclusive: boolean
  readonly at: number
  /** The runs above it, the topmost first; those on other worktrees are strangers to this queue. */
  readonly above: readonly string[]
  state: 'overlap' | 'queued' | 'running'
  ridesIn: string | null
  ended: boolean
  settled: boolean
  reservation: boolean
}

class Reference {
  wishes: Wish[] = []
  paused = false
  draining = false
  clock = 0

  find(id: string): Wish | undefined {
    return this.wishes.find((wish) => wish.id === id)
  }

  /** Starts all runs that may start. Then no other run may start. */
  run(): void {
    this.free()
    for (;;) {
      const next = this.inOrder().find((wish) => this.mayStart(wish))
      if (next === undefined) return
      next.state = 'running'
      next.reservation = next.exclusive
    }
  }

  inOrder(): Wish[] {
    return this.wishes.filter((wish) => wish.state === 'queued').sort((a, b) => (isEarlier(a, b) ? -1 : 1))
  }

  mayStart(wish: Wish): boolean {
    const stopped = this.paused || this.draining
    // "Draining and pausing stop new top-level runs only."
    if (stopped && wish.above.length === 0) return false
    if (this.wishes.some((other) => other.reservation)) return false
    // No run waits behind a stopped run. Otherwise the stop would also affect child runs.
    const counted = this.inOrder().filter((other) => !stopped || other.above.length > 0)
    const earlier = counted.filter((other) => isEarlier(other, wish))
    const slots = this.wishes.filter((other) => other.state === 'running' && other.ridesIn === null)
    if (earlier.some((other) => other.kind === wish.kind || other.exclusive)) return false
    if (wish.limit !== 0 && slots.filter((other) => other.kind === wish.kind).length >= wish.limit) return false
    return !wish.exclusive || (earlier.length === 0 && slots.length === 0)
  }

  free(): void {
    const done = this.wishes.find(
      (wish) =>
        wish.state === 'running' &&
        wish.ended &&
        wish.settled &&
        !this.wishes.some((other) => other.ridesIn === wish.id),
    )
    if (done === undefined) return
    this.wishes = this.wishes.filter((wish) => wish !== done)
    this.free()
  }

  ride(wish: Wish): void {
    if (wish.state === 'running') return
    for (const id of wish.above) {
      if (this.find(id)?.state !== 'running') continue
      wish.state = 'running'
      wish.ridesIn = id
    }
  }
}

function isEarlier(a: Wish, b: Wish): boolean {
  return a.at === b.at ? a.id < b.id : a.at < b.at
}

interface Act {
  readonly do:
    | 'enqueue'
    | 'withdraw'
    | 'limit'
    | 'ready'
    | 'ended'
    | 'settled'
    | 'pause'
    | 'resume'
    | 'drain'
    | 'activate'
    | 'releaseSlot'
    | 'releaseReservation'
  readonly pick: number
  readonly kind: Kind
  readonly limit: number
  readonly exclusive: boolean
  readonly ready: boolean
  /** `child`: of a run in this queue; `below`: of a run on another worktree that one in this queue has started. */
  readonly from: 'nobody' | 'child' | 'below' | 'elsewhere'
  readonly later: number
}

const weights: readonly (readonly [Act['do'], number])[] = [
  ['enqueue', 10],
  ['withdraw', 3],
  ['limit', 2],
  ['ready', 3],
  ['ended', 7],
  ['settled', 7],
  ['pause', 1],
  ['resume', 2],
  ['drain', 1],
  ['activate', 2],
  ['releaseSlot', 1],
  ['releaseReservation', 1],
]

const act: fc.Arbitrary<Act> = fc.record({
  do: fc.oneof(...weights.map(([what, weight]) => ({ weight, arbitrary: fc.constant(what) }))),
  pick: fc.nat(10_000),
  kind: fc.constantFrom(...kinds),
  limit: fc.nat(3),
  exclusive: fc.nat(4).map((n) => n === 0),
  ready: fc.nat(5).map((n) => n > 0),
  from: fc.constantFrom<Act['from']>('nobody', 'nobody', 'nobody', 'nobody', 'child', 'below', 'elsewhere'),
  later: fc.nat(2),
})

const runId = (n: number): string => `run_${String(n).padStart(26, '0')}`

class Pair {
  readonly reference = new Reference()
  #snapshot: Snapshot
  #made = 0
  #revision = 0

  constructor() {
    const init = { worktreeId: 'wt_1', codebaseId: 'c', agentId: 'a', createdAt: 0 }
    this.#snapshot = begin(worktreeQueue, { id: 'que_1', init, at: 0 }).snapshot
  }

  get queue(): QueueContext {
    return this.#snapshot.state.context as QueueContext
  }

  send(event: ActorEvent): Result {
    const result = applyEvent(worktreeQueue, this.#snapshot, { ...event, at: this.reference.clock })
    if (result.type === 'accepted') {
      this.#snapshot = result.snapshot
      for (const tell of tellsOf(result.actions)) if (tell.event.type === 'continue') this.send(tell.event)
    }
    return result
  }

  carryOut(action: Act): void {
    const { reference } = this
    reference.clock += action.later
    const wish = reference.wishes[action.pick % Math.max(1, reference.wishes.length)]
    switch (action.do) {
      case 'enqueue':
        this.#enqueue(action, wish)
        return
      case 'withdraw':
        if (wish === undefined) return
        this.send({ type: 'withdraw', runId: wish.id })
        if (wish.state === 'running') Object.assign(wish, { ended: true, settled: true })
        else reference.wishes = reference.wishes.filter((other) => other !== wish)
        return
      case 'limit':
      case 'ready':
        if (wish === undefined) return
        this.#revision += 1
        if (wish.state !== 'running') {
          if (action.do === 'limit') wish.limit = action.limit
          else wish.state = 'queued'
          if (wish.state === 'queued') reference.ride(wish)
        }
        this.send({
          type: 'configure',
          runId: wish.id,
          limit: wish.limit,
          ready: wish.state !== 'overlap',
          revision: this.#revision,
          above: wish.above,
        })
        return
      case 'ended':
      case 'settled':
        if (wish?.state !== 'running') return
        wish[action.do] = true
        this.send({ type: action.do, runId: wish.id })
        return
      case 'pause':
      case 'resume':
        reference.paused = action.do === 'pause'
        this.send({ type: action.do })
        return
      case 'drain':
      case 'activate':
        reference.draining = action.do === 'drain'
        this.#revision += 1
        this.send({ type: 'agentDrain', draining: reference.draining, revision: this.#revision })
        return
      case 'releaseSlot': {
        if (wish === undefined) return
        const allowed = wish.state === 'running' && wish.ended
        assert.equal(this.send({ type: 'releaseSlot', holderId: wish.id }).type, allowed ? 'accepted' : 'refused')
        if (allowed) wish.settled = true
        return
      }
      case 'releaseReservation': {
        const holder = reference.wishes.find((other) => other.reservation)
        const allowed = holder?.ended === true
        assert.equal(this.send({ type: 'releaseReservation' }).type, allowed ? 'accepted' : 'refused')
        if (holder !== undefined && allowed) holder.reservation = false
      }
    }
  }

  #enqueue({ kind, limit, exclusive, ready, from }: Act, other: Wish | undefined): void {
    const { reference } = this
    const id = runId(this.#made)
    this.#made += 1
    const above = this.#above(from, other)
    const wish: Wish = {
      id,
      kind,
      limit,
      exclusive,
      above,
      at: reference.clock,
      state: ready ? 'queued' : 'overlap',
      ridesIn: null,
      ended: false,
      settled: false,
      reservation: false,
    }
    reference.wishes.push(wish)
    if (ready) reference.ride(wish)
    this.send({ type: 'enqueue', runId: id, kind, limit, exclusive, ready, revision: 0, above })
  }

  #above(from: Act['from'], other: Wish | undefined): readonly string[] {
    const elsewhere = `run_elsewhere_${this.#made}`
    if (from === 'nobody') return []
    if (from === 'elsewhere' || other === undefined) return [elsewhere]
    const lineage = [...other.above, other.id]
    return from === 'child' ? lineage : [...lineage, elsewhere]
  }

  /** Each waiting run has a reason for its wait. The reason is never that it can start, because it would have started. */
  #explain(): void {
    const { queue } = this
    const head = (prefix: string): QueuePosition | undefined => {
      const [key] = queue.members.first(prefix) ?? []
      const parts = key?.split('/')
      return parts && { id: parts.at(-1) ?? '', queuedAt: Number(parts.at(-2)) }
    }
    const { pause, drain, revoked, reservedBy } = queue
    const index = isStopped({ pause, draining: drain.draining }) ? queueMembers.children : queueMembers.all
    const heads = Object.fromEntries(
      kinds.flatMap((kind) => {
        const place = head(index.waiting(kind).prefix)
        return place ? [[kind, place]] : []
      }),
    )
    const holders = [...queue.members.range(queueMembers.held.prefix)].map(([key, value]): SlotHolder => {
      const { kind, rides } = value as { kind: Kind; rides: string | null }
      return { id: queueMembers.held.toId(key), kind, sharesSlot: rides !== null }
    })
    const picture = {
      pause,
      draining: drain.draining,
      revoked,
      reservedBy,
      holders,
      heads,
      exclusive: head(index.exclusive.prefix),
    }
    for (const wish of this.reference.wishes) {
      if (wish.state === 'running') continue
      const ready = wish.state === 'queued'
      const { reason, ids } = blockedBy(
        { ...wish, queuedAt: wish.at, ready, overlaps: [], child: wish.above.length > 0 },
        picture,
      )
      assert.notEqual(reason, 'STARTING', `${wish.id} waits for nothing`)
      assert.equal(reason === 'OVERLAP', !ready)
      assert.ok(!ids.includes(wish.id), 'an entry must not wait for itself')
    }
  }

  compare(): void {
    const { reference, queue } = this
    const running = reference.wishes.filter((wish) => wish.state === 'running')
    const slots = (kind: Kind) => running.filter((wish) => wish.kind === kind && wish.ridesIn === null).length
    const held = [...queue.members.range(queueMembers.held.prefix)].map(([key]) => queueMembers.held.toId(key))
    assert.deepEqual(held, running.map((wish) => wish.id).sort(), 'the entries that hold or share a slot')
    assert.deepEqual(queue.held, Object.fromEntries(kinds.map((kind) => [kind, slots(kind)])))
    assert.equal(queue.reservedBy, reference.wishes.find((wish) => wish.reservation)?.id ?? null, 'reservation')
    assert.equal(queue.waiting, reference.wishes.length - running.length, 'waiting')
    const indexed = kinds.flatMap((kind) => [...queue.members.range(queueMembers.all.waiting(kind).prefix)])
    assert.equal(indexed.length, reference.inOrder().length, 'the index has exactly the waiting entries')
    this.#explain()
    assert.ok(running.filter((wish) => wish.reservation).length <= 1, 'one reservation at most')
    assert.equal(
      reference.inOrder().some((wish) => reference.mayStart(wish)),
      false,
      'no waiting entry could start',
    )
  }
}

test('random histories lead to the same queue as the naive implementation', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 120 }), (actions) => {
      const pair = new Pair()
      for (const action of actions) {
        pair.carryOut(action)
        pair.reference.run()
        pair.compare()
      }
    }),
    { numRuns: 1_500 },
  )
})

test('ten thousand runs that may all start are started in slices', () => {
  const pair = new Pair()
  pair.send({ type: 'pause' })
  for (let n = 0; n < 10_000; n += 1) {
    pair.send({
      type: 'enqueue',
      runId: runId(n),
      kind: 'PLAN',
      limit: 0,
      exclusive: false,
      ready: true,
      revision: 0,
      above: [],
    })
  }
  const result = pair.send({ type: 'resume' })
  assert.ok(
    result.type === 'accepted' && tellsOf(result.actions).length <= 201,
    'at most 200 runs are notified in one transition',
  )
  assert.equal(pair.queue.held.PLAN, 10_000)
  assert.equal(pair.queue.waiting, 0)
})
