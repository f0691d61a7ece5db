/** A feed is resumed by its own sequence. If hints are lost or repeated, the follower still gets each item once and in order. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TopicItem } from '../../../gateway/operations/handler.ts'
import type { FollowSink } from '../../../gateway/subscriptions/following.ts'
import { followSequence, type Sequenced, type SequencedItem } from '../../../gateway/subscriptions/followSequence.ts'
import { settled } from '../../kit/runtime/manualClock.ts'

const itemOf = (sequence: number): SequencedItem => ({ sequence, item: { sequence } as unknown as TopicItem })

/** The stored items, the hints about them, and the items that one follower received. */
function source(options: { readonly stored?: number; readonly after?: number; readonly page?: number } = {}) {
  const stored: SequencedItem[] = Array.from({ length: options.stored ?? 0 }, (_, sequence) => itemOf(sequence))
  const got: (number | string)[] = []
  let hear: Parameters<Sequenced['listen']>[0] = () => {}
  let reading: (() => void) | undefined
  let ended = false
  const sequenced: Sequenced = {
    mayBeginLater: false,
    start: async () => options.after ?? -1,
    listen(listener) {
      hear = listener
      return () => {
        hear = () => {}
      }
    },
    async read(after) {
      const { page = 100 } = options
      const items = stored.filter(({ sequence }) => sequence > after)
      if (reading !== undefined) await new Promise<void>((resolve) => (reading = resolve))
      const taken = items.slice(0, page)
      const last = taken.at(-1)?.sequence ?? after
      return { items: taken, last, more: items.length > page, ended: ended && items.length <= page }
    },
  }
  const sink = {
    item: async (item: TopicItem) => void got.push((item as unknown as { sequence: number }).sequence),
    end: () => void got.push('end'),
    fail: (error: unknown) => void got.push(String(error)),
  } as unknown as FollowSink
  return {
    got,
    follow: () => followSequence(sequenced, sink),
    /** Makes the reads wait. */
    hold(): void {
      reading = () => {}
    },
    release(): void {
      const go = reading
      reading = undefined
      go?.()
    },
    /** Stores an item, and publishes the item, a hint or nothing. */
    write(how: 'told' | 'hinted' | 'untold'): void {
      const item = itemOf(stored.length)
      stored.push(item)
      if (how !== 'untold') hear(how === 'told' ? [item] : undefined, false)
    },
    lose: () => void stored.push(itemOf(stored.length + 1)),
    tell: (...sequences: number[]) => hear(sequences.map(itemOf), false),
    end(): void {
      ended = true
      hear(undefined, true)
    },
  }
}

test('stored items are sent first, page by page, then live items', async () => {
  const feed = source({ stored: 5, page: 2 })
  feed.follow()
  await settled()
  feed.write('told')
  assert.deepEqual(feed.got, [0, 1, 2, 3, 4, 5])
})

test('a follower begins after its former position', async () => {
  const feed = source({ stored: 5, after: 2 })
  feed.follow()
  await settled()
  assert.deepEqual(feed.got, [3, 4])
})

test('items that are written while stored items are read are sent once', async () => {
  const feed = source({ stored: 2 })
  feed.hold()
  feed.follow()
  await settled()
  feed.write('told')
  feed.release()
  await settled()
  feed.write('told')
  assert.deepEqual(feed.got, [0, 1, 2, 3])
})

test('an item that the feed sends twice, or late, is sent once', async () => {
  const feed = source({ stored: 1 })
  feed.follow()
  await settled()
  feed.write('told')
  feed.tell(0, 1)
  feed.tell(1)
  await settled()
  assert.deepEqual(feed.got, [0, 1])
})

test('if an item was missed, the items after the last one are read from storage', async () => {
  const feed = source({ stored: 1 })
  feed.follow()
  await settled()
  feed.write('untold')
  feed.write('untold')
  feed.write('told')
  await settled()
  assert.deepEqual(feed.got, [0, 1, 2, 3])
})

test('an item is sent after a hint of another process', async () => {
  const feed = source()
  feed.follow()
  await settled()
  feed.write('hinted')
  await settled()
  assert.deepEqual(feed.got, [0])
})

test('an item that the feed announces before it can be read is sent once it can be read', async () => {
  const feed = source({ stored: 1 })
  feed.follow()
  await settled()
  feed.tell(2)
  await settled()
  feed.write('untold')
  feed.write('told')
  await settled()
  assert.deepEqual(feed.got, [0, 1, 2])
})

test('a gap in the stored items is an error and is never skipped', async () => {
  const feed = source({ stored: 2 })
  feed.lose()
  feed.follow()
  await settled()
  assert.deepEqual(feed.got, [0, 1, 'Error: sequence 3 follows 1'])
})

test('the end is sent after all items', async () => {
  const feed = source({ stored: 3, page: 1 })
  feed.follow()
  feed.end()
  await settled()
  assert.deepEqual(feed.got, [0, 1, 2, 'end'])
})
