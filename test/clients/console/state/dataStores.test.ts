/** The stores of data from the server. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createActorHistoryStore } from '../../../../clients/console/app/data/actorHistoryStore.ts'
import type { ActorTransition } from '../../../../clients/console/app/data/actorTransition.ts'
import { ApiError } from '../../../../clients/console/app/data/apiError.ts'
import { createLiveObjectsStore } from '../../../../clients/console/app/data/liveObjectsStore.ts'
import { createPagedListStore } from '../../../../clients/console/app/data/pagedListStore.ts'
import { createQueryStore } from '../../../../clients/console/app/data/queryStore.ts'
import { createLogStore } from '../../../../clients/console/app/runs/log/logStore.ts'
import { createTranscriptStore } from '../../../../clients/console/app/runs/transcript/transcriptStore.ts'
import { createEvent } from '../../../kit/console/runEvents.ts'

const error = new ApiError('UNAVAILABLE', 'Later.', { retryable: true })

test('a response stays when the same request fails', () => {
  const store = createQueryStore<number>()
  store.trigger.responded({ key: 'a', data: 1 })
  store.trigger.failed({ key: 'a', error })
  assert.deepEqual(store.getSnapshot().context, { key: 'a', data: 1, error })
  store.trigger.responded({ key: 'a', data: 2 })
  assert.deepEqual(store.getSnapshot().context, { key: 'a', data: 2, error: undefined })
})

test('a response is not shown for another request', () => {
  const store = createQueryStore<number>()
  store.trigger.responded({ key: 'a', data: 1 })
  store.trigger.failed({ key: 'b', error })
  assert.deepEqual(store.getSnapshot().context, { key: 'b', data: undefined, error })
})

test('objects stay after a reconnect until the first one arrives, and then only current ones are shown', () => {
  const store = createLiveObjectsStore<{ id: string; version: number }>()
  const shown = () => [...store.getSnapshot().context.objects.values()].map(({ id, version }) => `${id}${version}`)
  store.trigger.subscribed({ key: 'runs' })
  store.trigger.received({
    objects: [
      { id: 'a', version: 1 },
      { id: 'b', version: 1 },
    ],
  })
  store.trigger.received({ objects: [{ id: 'b', version: 2 }] })
  assert.deepEqual(shown(), ['a1', 'b2'])
  store.trigger.subscribed({ key: 'runs' })
  assert.deepEqual(shown(), ['a1', 'b2'])
  store.trigger.received({ objects: [{ id: 'b', version: 3 }] })
  assert.deepEqual(shown(), ['b3'])
  store.trigger.subscribed({ key: 'agents' })
  assert.deepEqual(shown(), [])
})

test('a page is added only to the list that it continues', () => {
  const store = createPagedListStore<number>()
  const page = (nodes: number[], endCursor: string) => ({ nodes, pageInfo: { hasNextPage: true, endCursor } })
  const later = () => store.getSnapshot().context.later?.nodes
  store.trigger.loadStarted({ key: 'runs' })
  assert.equal(store.getSnapshot().context.loadingKey, 'runs')
  store.trigger.loaded({ key: 'runs', after: '10', page: page([9, 8], '8') })
  assert.equal(store.getSnapshot().context.loadingKey, '')
  store.trigger.loaded({ key: 'runs', after: '8', page: page([7, 6], '6') })
  assert.deepEqual(later(), [9, 8, 7, 6])
  // The list was restarted while this page was read.
  store.trigger.loaded({ key: 'runs', after: '8', page: page([7, 6], '6') })
  assert.deepEqual(later(), [9, 8, 7, 6])
  store.trigger.loaded({ key: 'failed runs', after: '4', page: page([3], '3') })
  assert.deepEqual(later(), [3])
})

test('a page can be loaded again after a failure', () => {
  const store = createPagedListStore<number>()
  store.trigger.loadStarted({ key: 'runs' })
  const failure = { key: 'runs', read: 'NEXT', error } as const
  store.trigger.failed(failure)
  assert.deepEqual(store.getSnapshot().context, { key: '', later: undefined, loadingKey: '', failures: [failure] })
  // The items before it are another read.
  store.trigger.gapFilled({ key: 'runs', later: undefined })
  assert.deepEqual(store.getSnapshot().context.failures, [failure])
  store.trigger.loadStarted({ key: 'runs' })
  store.trigger.loaded({
    key: 'runs',
    after: '10',
    page: { nodes: [9], pageInfo: { hasNextPage: false, endCursor: '9' } },
  })
  assert.deepEqual(store.getSnapshot().context.failures, [])
})

test('the failure of a read stays until a read of its kind succeeds', () => {
  const store = createPagedListStore<number>()
  const failed = () => store.getSnapshot().context.failures.map(({ read }) => read)
  const later = { after: '10', nodes: [9], pageInfo: { hasNextPage: true, endCursor: '9' } }
  for (const read of ['ALL', 'NEXT', 'GAP', 'ALL'] as const) store.trigger.failed({ key: 'runs', read, error })
  assert.deepEqual(failed(), ['NEXT', 'GAP', 'ALL'])
  store.trigger.gapFilled({ key: 'runs', later })
  assert.deepEqual(failed(), ['NEXT', 'ALL'])
  store.trigger.reread({ key: 'runs', later })
  assert.deepEqual(failed(), ['NEXT'])
})

test('the answer for a former list ends only its own loading', () => {
  const store = createPagedListStore<number>()
  const loading = () => store.getSnapshot().context.loadingKey
  store.trigger.loadStarted({ key: 'runs' })
  store.trigger.loadStarted({ key: 'failed runs' })
  store.trigger.loadDropped({ key: 'runs' })
  assert.equal(loading(), 'failed runs')
  store.trigger.loadDropped({ key: 'failed runs' })
  assert.equal(loading(), '')
})

test('a transition that arrives twice is shown once', () => {
  const store = createActorHistoryStore()
  const transition = (sequence: number) => ({ sequence }) as ActorTransition
  store.trigger.readStarted()
  store.trigger.pageRead({ transitions: [transition(1), transition(2)] })
  store.trigger.readCompleted()
  store.trigger.transitioned({ transition: transition(2) })
  store.trigger.transitioned({ transition: transition(3) })
  const { transitions, isComplete } = store.getSnapshot().context
  assert.deepEqual(
    transitions.map(({ sequence }) => sequence),
    [1, 2, 3],
  )
  assert.equal(isComplete, true)
  store.trigger.readStarted()
  assert.equal(store.getSnapshot().context.isComplete, false)
})

test('a transcript continues after its last event', () => {
  const store = createTranscriptStore()
  const message = (sequence: number, text: string) => createEvent({ type: 'MESSAGE', sequence, text })
  store.trigger.received({ events: [message(0, 'one '), message(1, 'two ')] })
  store.trigger.received({ events: [message(1, 'two '), message(2, 'three')] })
  const { entries, lastSequence } = store.getSnapshot().context
  assert.deepEqual(
    entries.map((entry) => [entry.sequence, 'text' in entry && entry.text]),
    [[0, 'one two three']],
  )
  assert.equal(lastSequence, 2)
})

test('matches of an earlier search are ignored', () => {
  const store = createLogStore()
  const matches = (searchText: string, lines: number[]) => ({
    report: { type: 'found' as const, searchText, lines, open: [], searched: 10, done: true },
  })
  store.trigger.searchStarted({ searchText: 'error' })
  store.trigger.matchesFound(matches('err', [1, 2, 3]))
  assert.deepEqual(store.getSnapshot().context.matches.lines, [])
  assert.equal(store.getSnapshot().context.matches.done, false)
  store.trigger.matchesFound(matches('error', [2]))
  assert.deepEqual(store.getSnapshot().context.matches.lines, [2])
})
