/** Followers of streams and of actors whose entries were deleted by the retention: in part, or all of them. */
import { deepEqual } from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Topic } from '../../../gateway/operations/handler.ts'
import { withRowTypes } from '../../../gateway/operations/typedViews.ts'
import { type FollowSources, follow } from '../../../gateway/subscriptions/follow.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { openStorage } from '../../../storage/open.ts'
import type { Storage } from '../../../storage/storage.ts'
import { publishedStreams } from '../../../storage/streams/publishedStreams.ts'
import { until } from '../../kit/program/until.ts'
import { stopServers, testDatabase } from '../../kit/runtime/postgres/postgres.ts'
import { creation, nextWrite } from '../../kit/runtime/writes.ts'

after(stopServers)

const november = Date.UTC(2026, 10, 15)
const december = Date.UTC(2026, 11, 3)
/** November is deleted then, and December is not. */
const february = Date.UTC(2027, 1, 5)
const keep = { journalDays: 60, streamDays: 60, telemetryDays: 60, toolCallDays: 60 }

interface World {
  readonly storage: Storage
  /** Follows a topic. `got` has what the follower received: sequences, and how it ended. */
  follow(topic: Topic): { readonly got: readonly (number | string)[]; readonly reads: () => number }
}

/** @param write what exists in November and December before the retention deletes November */
function withDeleted(
  title: string,
  write: (storage: Storage) => Promise<void>,
  check: (world: World) => Promise<void>,
) {
  test(title, async () => {
    const database = await testDatabase()
    const storage = await openStorage({ ...database.target, owner: 'one', log: () => {} })
    const unfollow: (() => void)[] = []
    try {
      await storage.housekeeping(november, keep)
      await write(storage)
      await storage.housekeeping(february, keep)
      await check({
        storage,
        follow(topic) {
          const got: (number | string)[] = []
          let reads = 0
          const views = new Proxy(storage.views, {
            get(target, name) {
              const value: unknown = Reflect.get(target, name)
              if (typeof value !== 'function') return value
              return (...args: unknown[]) => {
                reads++
                return value.apply(target, args)
              }
            },
          })
          const sources = { views: withRowTypes(views), feed: storage.feed } as unknown as FollowSources
          unfollow.push(
            follow(topic, sources, {
              item(item) {
                if (item.type === 'entry') got.push(item.entry.sequence)
                else if (item.type === 'transition') got.push(item.transition.seq)
              },
              end: () => void got.push('end'),
              fail: (error) => void got.push(error instanceof Failure ? error.code : String(error)),
            }),
          )
          return { got, reads: () => reads }
        },
      })
    } finally {
      for (const stop of unfollow) stop()
      await storage.close()
      await database.drop()
    }
  })
}

const line = { kind: 'STDOUT', data: new Uint8Array(3) }
const end = { kind: 'END', data: new Uint8Array() }
const stream = (after: number): Topic => ({ type: 'stream', name: 's', after })

const begin = { stream: 's', sequence: 0, at: november, entries: [line, line] }
const rest = { stream: 's', sequence: 2, entries: [line, end], end: true }

withDeleted(
  'a stream that ended and was deleted as a whole ends at once for a follower from the beginning',
  async ({ streams }) => {
    await streams.append(begin)
    await streams.append({ ...rest, at: november })
  },
  async ({ follow }) => {
    const { got, reads } = follow(stream(-1))
    await until('the end', () => got.includes('end'), 5_000)
    deepEqual([got, reads()], [['end'], 1])
  },
)

withDeleted(
  'a deleted stream that has not ended continues with its new entries',
  async ({ streams }) => void (await streams.append(begin)),
  async ({ storage, follow }) => {
    const { got, reads } = follow(stream(-1))
    await sleep(200)
    deepEqual([got, reads()], [[], 1])
    await publishedStreams(storage.streams, storage.feed).append({ ...rest, at: february })
    await until('the end', () => got.includes('end'), 5_000)
    deepEqual(got, [2, 3, 'end'])
  },
)

withDeleted(
  'a stream whose beginning was deleted begins with its first stored entry, and a position before it is refused',
  async ({ streams }) => {
    await streams.append(begin)
    await streams.append({ ...rest, at: december })
  },
  async ({ follow }) => {
    const [whole, before, last] = [follow(stream(-1)), follow(stream(0)), follow(stream(1))]
    await until('all three', () => [whole, before, last].every(({ got }) => typeof got.at(-1) === 'string'), 5_000)
    deepEqual([whole.got, before.got, last.got], [[2, 3, 'end'], ['HISTORY_GONE'], [2, 3, 'end']])
  },
)

{
  const [made, ended] = [creation('run', { at: november }), creation('run', { at: november })]
  const transitions = (id: string, after: number): Topic => ({ type: 'transitions', id, after })
  const later = nextWrite(nextWrite(made, 'one'), 'one', { at: february })

  withDeleted(
    'a follower of an actor whose history was deleted gets the next transition',
    async ({ journal }) => {
      await journal.commit([made], [])
      await journal.commit([nextWrite(made, 'one', { at: november + 1 })], [])
    },
    async ({ storage, follow }) => {
      const [whole, last, before] = [0, 2, 1].map((after) => follow(transitions(made.ref.id, after)))
      await until('the refusal', () => before?.got.length === 1, 5_000)
      await sleep(200)
      await storage.journal.commit([later], [])
      storage.feed.publish([{ ref: later.ref, seq: later.seq }])
      await until('the transition', () => whole?.got.length === 1 && last?.got.length === 1, 5_000)
      deepEqual([whole?.got, last?.got, before?.got], [[3], [3], ['HISTORY_GONE']])
    },
  )

  withDeleted(
    'a position of an ended actor is refused if the rest of its history was deleted',
    async ({ journal }) => {
      await journal.commit([ended], [])
      await journal.commit([nextWrite(ended, 'one', { at: november + 1, columns: { terminal: true } })], [])
    },
    async ({ follow }) => {
      const { got } = follow(transitions(ended.ref.id, 1))
      await until('the refusal', () => got.length === 1, 5_000)
      deepEqual(got, ['HISTORY_GONE'])
    },
  )
}
