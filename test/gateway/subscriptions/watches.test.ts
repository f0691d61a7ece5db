/** A live query is read once for all its followers, and sent only when its value has changed. */
import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Topic } from '../../../gateway/operations/handler.ts'
import type { TypedViews } from '../../../gateway/operations/typedViews.ts'
import type { FollowSink } from '../../../gateway/subscriptions/following.ts'
import { Watches } from '../../../gateway/subscriptions/watches.ts'
import type { Feed } from '../../../storage/ports/feed.ts'
import { ManualClock } from '../../kit/runtime/manualClock.ts'

type Watched = Extract<Topic, { type: 'watched' }>

class World {
  readonly clock = new ManualClock()
  value = 0
  reads = 0
  fails = false
  /** Milliseconds that a read takes. */
  takes = 0
  readonly listeners = new Set<() => void>()
  readonly #listen = (_: unknown, listener: () => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }
  readonly watches = new Watches({
    feed: { onKind: this.#listen, onGap: (listener: () => void) => this.#listen('', listener) } as unknown as Feed,
    views: {} as TypedViews,
    clock: this.clock,
  })
  readonly topic: Watched = {
    type: 'watched',
    name: 'sum',
    kinds: ['run', 'plan'],
    everyMs: 15_000,
    read: async () => {
      this.reads++
      if (this.takes > 0) await this.clock.advance(this.takes)
      if (this.fails) throw new Error('away')
      return { value: this.value }
    },
  }

  hint(): void {
    for (const listener of this.listeners) listener()
  }

  watch(): { readonly told: unknown[]; end(): void } {
    const told: unknown[] = []
    const sink: FollowSink = {
      item: (item) => void told.push(item.type === 'value' ? item.value : item),
      end: () => told.push('end'),
      fail: (error) => told.push(String(error)),
    }
    return { told, end: this.watches.follow(this.topic, sink) }
  }
}

describe('a live query', () => {
  it('sends its value, and a second after a hint its new value', async () => {
    const world = new World()
    const { told } = world.watch()
    await world.clock.advance(0)
    deepEqual(told, [{ value: 0 }])
    world.value = 1
    world.hint()
    await world.clock.advance(999)
    equal(told.length, 1)
    await world.clock.advance(1)
    deepEqual(told, [{ value: 0 }, { value: 1 }])
  })

  it('sends nothing if its value is the same, and reads once for all changes of a second', async () => {
    const world = new World()
    const { told } = world.watch()
    await world.clock.advance(0)
    for (let hints = 0; hints < 100; hints++) world.hint()
    await world.clock.advance(1_000)
    deepEqual([told.length, world.reads], [1, 2])
  })

  it('reads again without a hint, because its value may change with time', async () => {
    const world = new World()
    const { told } = world.watch()
    await world.clock.advance(0)
    world.value = 7
    await world.clock.advance(15_000)
    deepEqual(told, [{ value: 0 }, { value: 7 }])
  })

  it('is read once for all subscriptions, and a new one gets the value at once', async () => {
    const world = new World()
    const first = world.watch()
    await world.clock.advance(0)
    const second = world.watch()
    deepEqual([second.told, world.reads], [[{ value: 0 }], 1])
    world.value = 1
    world.hint()
    await world.clock.advance(1_000)
    deepEqual([first.told.length, second.told.length, world.reads], [2, 2, 2])
  })

  it('pauses ten times as long as its last read took', async () => {
    const world = new World()
    world.takes = 500
    world.watch()
    await world.clock.advance(0)
    world.takes = 0
    world.hint()
    await world.clock.advance(4_999)
    equal(world.reads, 1)
    await world.clock.advance(1)
    equal(world.reads, 2)
  })

  it('ends with its last subscription, and starts again with the next one', async () => {
    const world = new World()
    const [first, second] = [world.watch(), world.watch()]
    await world.clock.advance(0)
    first.end()
    ok(world.listeners.size > 0)
    second.end()
    equal(world.listeners.size, 0)
    await world.clock.advance(60_000)
    equal(world.reads, 1)
    world.watch()
    await world.clock.advance(0)
    equal(world.reads, 2)
  })

  it('ends with the error for all if its value cannot be read, and a new subscription reads again', async () => {
    const world = new World()
    world.fails = true
    const { told } = world.watch()
    await world.clock.advance(0)
    deepEqual(told, ['Error: away'])
    world.fails = false
    const later = world.watch()
    await world.clock.advance(0)
    deepEqual(later.told, [{ value: 0 }])
  })
})
