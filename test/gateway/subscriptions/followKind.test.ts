/** A kind is followed by positions. From each start, and with commits in any order, a follower gets each transition once and in order. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type TypedViews, withRowTypes } from '../../../gateway/operations/typedViews.ts'
import type { FollowSink } from '../../../gateway/subscriptions/following.ts'
import { followTail } from '../../../gateway/subscriptions/followTail.ts'
import { KindTails } from '../../../gateway/subscriptions/kindTails.ts'
import type { JournalEntry } from '../../../spec/core/actor.ts'
import { comparePositions, cursorOf, type HistoryPosition, positionOf } from '../../../spec/core/historyPosition.ts'
import { LocalFeed } from '../../../storage/feed/localFeed.ts'
import type { KindHistoryPage, KindHistoryQuery } from '../../../storage/ports/views.ts'
import type { Storage } from '../../../storage/storage.ts'
import { ManualClock, settled } from '../../kit/runtime/manualClock.ts'
import { openMemoryStorage } from '../../kit/runtime/memory/memory.ts'
import { MemoryState } from '../../kit/runtime/memory/state.ts'
import { systemClock } from '../../kit/runtime/systemClock.ts'
import { creation } from '../../kit/runtime/writes.ts'

const at = (tx: number): HistoryPosition => ({ tx, actor: 'run_1' })

/** A journal with one transition in each transaction, and its followers. */
function world() {
  const feed = new LocalFeed((error) => assert.fail(String(error)))
  const clock = new ManualClock()
  /** Transactions that are visible; below `safe` they are final. */
  const stored: number[] = []
  const state = { safe: 1, gone: 0, away: false, reads: 0, held: undefined as Promise<void> | undefined }
  const read = ({ after, limit }: KindHistoryQuery): KindHistoryPage => {
    const later = stored
      .filter((tx) => tx < state.safe && comparePositions(at(tx), after) > 0)
      .sort((a, b) => a - b)
      .slice(0, limit)
    const more = later.length === limit
    return {
      transitions: later.map((tx) => ({ transition: { seq: tx } as unknown as JournalEntry, position: at(tx) })),
      position: more ? at(later.at(-1) ?? 0) : { tx: state.safe, actor: '' },
      more,
      heldBack: stored.some((tx) => tx >= state.safe),
      gone: after.tx <= state.gone,
    }
  }
  const views = {
    historyEnd: async () => ({ tx: state.safe, actor: '' }),
    async kindHistory(query: KindHistoryQuery) {
      state.reads++
      if (state.away) throw new Error('away')
      // The result is the state at the start of the read.
      const page = read(query)
      await state.held
      return page
    },
  } as unknown as TypedViews
  const tails = new KindTails({ feed, views, clock })
  return {
    clock,
    state,
    feed,
    hint: () => feed.publish([{ ref: { kind: 'run', id: 'run_1' }, seq: 1 }]),
    /** Makes a transaction visible. It is also final, unless an earlier transaction is open. */
    commit(tx: number, { final = true } = {}): void {
      stored.push(tx)
      if (final) state.safe = tx + 1
    },
    /** Makes the reads that begin from now on wait; returns their release. */
    holdReads(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      state.held = promise
      return () => {
        state.held = undefined
        resolve()
      }
    },
    follow(after?: number, item?: (tx: number, stored: boolean) => void | Promise<void>) {
      const got: (number | string)[] = []
      const sink = {
        item(one: { position: HistoryPosition }, fromStorage: boolean) {
          got.push(one.position.tx)
          return item?.(one.position.tx, fromStorage)
        },
        fail: (error: { code?: string }) => void got.push(error.code ?? String(error)),
      } as unknown as FollowSink
      return { got, stop: followTail('run', after === undefined ? undefined : at(after), tails, sink) }
    },
  }
}

test('a subscription without a cursor begins with the next transition', async () => {
  const { follow, commit, hint, clock } = world()
  commit(1)
  const { got } = follow()
  await settled()
  commit(2)
  hint()
  await clock.advance(20)
  assert.deepEqual(got, [2])
})

test('a subscription with a cursor gets the stored transitions first, one after the other, then new ones', async () => {
  const { follow, commit, hint, clock } = world()
  for (let tx = 1; tx <= 1_200; tx++) commit(tx)
  let under = 0
  const flags = new Set<string>()
  const { got } = follow(3, async (tx, stored) => {
    flags.add(tx <= 1_200 ? `stored ${stored}` : `live ${stored}`)
    if (stored) assert.equal(++under, 1, 'the one before was waited for')
    await Promise.resolve()
    if (stored) under--
  })
  while (got.length < 1_197) await settled()
  await clock.advance(20)
  commit(1_201)
  hint()
  await clock.advance(20)
  assert.deepEqual(
    got,
    Array.from({ length: 1_198 }, (_, n) => n + 4),
  )
  assert.deepEqual([...flags], ['stored true', 'live false'])
})

test('many followers and many hints cost one read', async () => {
  const { follow, commit, hint, clock, state } = world()
  commit(1)
  const all = Array.from({ length: 50 }, () => follow())
  await settled()
  await clock.advance(20)
  state.reads = 0
  for (let tx = 2; tx <= 30; tx++) {
    commit(tx)
    hint()
  }
  await clock.advance(20)
  for (const { got } of all) assert.equal(got.length, 29)
  assert.equal(state.reads, 1)
})

test('a transition that an earlier transaction holds back is sent after it, without a further hint', async () => {
  const { follow, commit, hint, clock, state } = world()
  commit(1)
  const { got } = follow()
  await settled()
  commit(3, { final: false })
  hint()
  await clock.advance(20)
  assert.deepEqual(got, [])
  commit(2)
  state.safe = 4
  await clock.advance(50)
  assert.deepEqual(got, [2, 3])
})

test('a follower catches up with a tail that advanced while the follower read', async () => {
  const { follow, commit, hint, clock, holdReads, state } = world()
  commit(1)
  const first = follow()
  await settled()
  await clock.advance(20)
  const release = holdReads()
  const late = follow(1)
  await settled()
  // Only this read of the late one waits; the tail goes on.
  state.held = undefined
  commit(2)
  hint()
  await clock.advance(20)
  assert.deepEqual(first.got, [2])
  release()
  await settled()
  commit(3)
  hint()
  await clock.advance(20)
  for (const { got } of [first, late]) assert.deepEqual(got, [2, 3])
})

test('a tail that is behind does not repeat a transition that a follower has read', async () => {
  const { follow, commit, hint, clock } = world()
  commit(1)
  const first = follow()
  await settled()
  await clock.advance(20)
  commit(2)
  hint()
  // It reads before the tail does.
  const late = follow(1)
  await settled()
  assert.deepEqual([first.got, late.got], [[], [2]])
  commit(3)
  await clock.advance(20)
  for (const { got } of [first, late]) assert.deepEqual(got, [2, 3])
})

test('a transition that is committed between the last read of a subscription and its joining of the tail is not lost', async () => {
  const { follow, commit, hint, clock, holdReads } = world()
  commit(1)
  const release = holdReads()
  const { got } = follow(1)
  await settled()
  // There is no follower yet.
  commit(2)
  hint()
  release()
  await settled()
  await clock.advance(20)
  assert.deepEqual(got, [2])
})

test('the tail reads again after a hint during a read, after a gap, and after some time', async () => {
  const { follow, commit, hint, clock, holdReads, feed } = world()
  const { got } = follow()
  await settled()
  const release = holdReads()
  await clock.advance(20)
  commit(1)
  hint()
  release()
  await settled()
  await clock.advance(20)
  assert.deepEqual(got, [1])
  commit(2)
  feed.gap()
  await clock.advance(20)
  assert.deepEqual(got, [1, 2])
  commit(3)
  await clock.advance(1_000)
  assert.deepEqual(got, [1, 2, 3])
})

test('the tail ends with its last subscription, and starts again with the next one', async () => {
  const { follow, commit, hint, clock, state } = world()
  const [one, two] = [follow(), follow()]
  await settled()
  one.stop()
  commit(1)
  hint()
  await clock.advance(20)
  two.stop()
  state.reads = 0
  commit(2)
  hint()
  await clock.advance(5_000)
  assert.equal(state.reads, 0)
  assert.deepEqual([one.got, two.got], [[], [1]])
  const three = follow(1)
  await settled()
  assert.deepEqual(three.got, [2])
})

test('if storage fails, all subscriptions end with the error, and a new one continues after the cursor', async () => {
  const { follow, commit, hint, clock, state } = world()
  const all = [follow(), follow()]
  await settled()
  commit(1)
  state.away = true
  hint()
  await clock.advance(20)
  for (const { got } of all) assert.deepEqual(got, ['Error: away'])
  state.away = false
  commit(2)
  const again = follow(1)
  await settled()
  assert.deepEqual(again.got, [2])
})

test('a cursor before the stored history, and a cursor from another database, are refused', async () => {
  const { follow, commit, state } = world()
  for (const tx of [1, 2, 3]) commit(tx)
  state.gone = 2
  const [old, last, foreign] = [follow(2), follow(3), follow(90)]
  await settled()
  assert.deepEqual([old.got, last.got, foreign.got], [['HISTORY_GONE'], [], ['HISTORY_GONE']])
})

test('followers of two writing processes get exactly the transitions after their cursors, whenever they begin', async () => {
  const state = new MemoryState()
  const processes = ['one', 'two'].map((owner) => openMemoryStorage({ owner, state }))
  const sources = processes.map(({ feed, views }) => {
    const typed = withRowTypes(views)
    return { views: typed, tails: new KindTails({ feed, views: typed, clock: systemClock }) }
  })
  const everything = follower(sources[0], { tx: 1, actor: '' })
  const others: { readonly after: string; readonly got: readonly string[] }[] = []
  const ends: (() => void)[] = [everything.stop]
  let written = 0
  for (let round = 0; round < 150; round++) {
    const { journal, feed } = processes[round % 2] as Storage
    const batch = Array.from({ length: 1 + (round % 3) }, () => creation('run'))
    await journal.commit([...batch, creation('job')], [])
    feed.publish(batch.map(({ ref, seq }) => ({ ref, seq })))
    written += batch.length
    const seen = everything.got
    const after = seen[Math.floor((seen.length * (round % 7)) / 7)]
    if (after !== undefined && round % 4 === 0) {
      const other = follower(sources[round % 8 === 0 ? 0 : 1], positionOf(after, 'after'))
      others.push({ after, got: other.got })
      ends.push(other.stop)
    }
    await sleep(round % 5)
  }
  while (everything.got.length < written) await sleep(10)
  await sleep(100)
  assert.equal(new Set(everything.got).size, written)
  assert.ok(others.length > 20)
  for (const { after, got } of others)
    assert.deepEqual(got, everything.got.slice(everything.got.indexOf(after) + 1), after)
  for (const end of ends) end()
})

function follower(sources: { readonly tails: KindTails } | undefined, after: HistoryPosition) {
  assert.ok(sources)
  const got: string[] = []
  const sink = {
    item: (one: { position: HistoryPosition }) => void got.push(cursorOf(one.position)),
    fail: (error: unknown) => void got.push(String(error)),
  } as unknown as FollowSink
  return { got, stop: followTail('run', after, sources.tails, sink) }
}
