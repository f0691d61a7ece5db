/** Stuck runs with one cause are one entry of the inbox. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupItems, type InboxItem, listStuckRuns } from '../../../../clients/console/app/inbox/inboxItems.ts'

const item = (actorId: string, more: Partial<InboxItem> = {}): InboxItem => ({
  id: `ACTOR_STUCK:${actorId}`,
  kind: 'ACTOR_STUCK',
  severity: 'HIGH',
  title: actorId,
  detail: null,
  isSeen: false,
  since: '2026-11-25T12:00:00.000Z',
  actorId,
  actorKind: 'RUN',
  runId: actorId,
  questionId: null,
  actions: [],
  ...more,
})
const run = (id: string, worktree: string, reason: string) => ({
  id,
  worktree: { id: worktree, branch: 'checkout', path: '/srv/shop' },
  blockedBy: { reason, message: 'Waiting for a run.', runIds: ['run_a', 'run_b'], buildIds: ['bld_a', 'bld_b'] },
})

test('runs that wait for the same worktree for the same reason are one entry, at the place of the first run', () => {
  const items = [item('run_1'), item('agt_1', { actorKind: 'AGENT' }), item('run_2'), item('run_3')]
  assert.deepEqual(listStuckRuns(items), ['run_1', 'run_2', 'run_3'])
  const runs = [
    run('run_1', 'wt_1', 'QUEUE_PAUSED'),
    run('run_2', 'wt_1', 'QUEUE_PAUSED'),
    run('run_3', 'wt_1', 'EARLIER_RUNS'),
  ]
  const entries = groupItems(items, runs).map((entry) =>
    entry.type === 'item' ? entry.item.actorId : [entry.group.isPaused, ...entry.group.items.map(({ title }) => title)],
  )
  assert.deepEqual(entries, [[true, 'run_1', 'run_2'], 'agt_1', [false, 'run_3']])
})

test('an entry names at most three of the runs and builds that the others wait for', () => {
  const [entry] = groupItems([item('run_1')], [run('run_1', 'wt_1', 'EARLIER_RUNS')])
  assert.deepEqual(entry?.type === 'waiting' && entry.group.holderIds, ['run_a', 'run_b', 'bld_a'])
})

test('a stuck run whose reason is not known yet, or that is not queued, is an entry of its own', () => {
  const running = { ...run('run_2', 'wt_1', ''), blockedBy: null }
  const entries = groupItems([item('run_1'), item('run_2')], [running])
  assert.deepEqual(
    entries.map(({ type }) => type),
    ['item', 'item'],
  )
})
