/** Many who follow rows of one kind cost one ear on the feed, and one read for what another process changed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TypedViews } from '../../../gateway/operations/typedViews.ts'
import { type RowListener, RowListeners } from '../../../gateway/subscriptions/rowListeners.ts'
import type { ActorRow } from '../../../spec/core/actor.ts'
import { LocalFeed } from '../../../storage/feed/localFeed.ts'

const row = (id: string, agentId: string, seq = 1): ActorRow =>
  ({ kind: 'job', id, seq, columns: { agentId, status: 'OFFERED', terminal: false } }) as unknown as ActorRow

function world(stored: readonly ActorRow[]) {
  const feed = new LocalFeed((error) => assert.fail(String(error)))
  const reads: (readonly string[])[] = []
  const views = {
    findMany: async (ids: readonly string[]) => {
      reads.push(ids)
      await sleep(5)
      if (ids.includes('away')) throw new Error('away')
      return new Map(stored.filter(({ id }) => ids.includes(id)).map((one) => [one.id, one]))
    },
  } as unknown as TypedViews
  const rows = new RowListeners(feed, views)
  const heard: string[] = []
  const listener = (name: string): RowListener => ({
    changed: ({ id, seq }) => void heard.push(`${name} ${id} ${seq}`),
    broken: () => void heard.push(`${name} broken`),
  })
  const publish = (one: ActorRow, hint = false) =>
    feed.publish([{ ref: { kind: 'job', id: one.id }, seq: one.seq, ...(hint ? {} : { row: one }) }])
  return { feed, rows, reads, heard, listener, publish }
}

test('a change is sent to the listeners whose filter it matches', () => {
  const { rows, heard, listener, publish } = world([])
  rows.listen('job', { agentId: 'a' }, listener('of a'))
  const end = rows.listen('job', { agentId: 'b' }, listener('of b'))
  rows.listen('job', {}, listener('of all'))
  rows.listen('job', { id: 'one' }, listener('of one'))
  publish(row('one', 'a'))
  publish(row('two', 'b'))
  end()
  publish(row('three', 'b'))
  assert.deepEqual(heard, [
    'of all one 1',
    'of one one 1',
    'of a one 1',
    'of all two 1',
    'of b two 1',
    'of all three 1',
  ])
})

test('a change of another process is read once for all listeners, and later changes wait for that read', async () => {
  const { rows, reads, heard, listener, publish } = world([row('one', 'a', 4)])
  for (const name of ['first', 'second']) rows.listen('job', { agentId: 'a' }, listener(name))
  publish(row('one', 'a', 4), true)
  publish(row('one', 'a', 5))
  await sleep(30)
  assert.deepEqual(reads, [['one']])
  assert.deepEqual(heard, ['first one 4', 'second one 4', 'first one 5', 'second one 5'])
})

test('if a change cannot be read, or hints were missed, each listener gets the error', async () => {
  const { rows, heard, listener, publish } = world([])
  rows.listen('job', { agentId: 'a' }, listener('one'))
  publish(row('away', 'a'), true)
  await sleep(20)
  assert.deepEqual(heard, ['one broken'])
})
