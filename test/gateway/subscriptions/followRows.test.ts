/** The rows that a subscription sends before any change. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TopicItem } from '../../../gateway/operations/handler.ts'
import type { FollowSources } from '../../../gateway/subscriptions/follow.ts'
import type { FollowSink } from '../../../gateway/subscriptions/following.ts'
import { followRows } from '../../../gateway/subscriptions/followRows.ts'
import type { ActorRow } from '../../../spec/core/actor.ts'
import type { RowQuery } from '../../../storage/ports/views.ts'
import { settled } from '../../kit/runtime/manualClock.ts'

const row = (id: string): ActorRow => ({ kind: 'job', id, seq: 1, columns: { agentId: 'a' } }) as unknown as ActorRow

for (const [initial, first] of [
  ['none', []],
  ['all', ['over', 'living']],
  ['living', ['living']],
] as const) {
  test(`a subscription to the jobs of an agent, of which one has ended, first sends the initial rows: ${initial}`, async () => {
    const got: string[] = []
    const lists: RowQuery[] = []
    const sources = {
      rows: { listen: () => () => {} },
      views: {
        list: async (query: RowQuery) => {
          lists.push(query)
          return [row('over'), row('living')]
        },
        living: async (_: string, agents: readonly string[]) => (agents.includes('a') ? [row('living')] : []),
      },
    } as unknown as FollowSources
    const sink = { item: (item: TopicItem) => void got.push(item.type === 'row' ? item.row.id : item.type) }
    const stop = followRows(
      { type: 'rows', kind: 'job', where: { agentId: 'a' }, initial },
      sources,
      sink as unknown as FollowSink,
    )
    await settled()
    stop()
    assert.deepEqual(got, first)
    assert.equal(lists.length, initial === 'all' ? 1 : 0, 'all rows are read only for the initial rows “all”')
  })
}
