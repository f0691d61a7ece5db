/** The bars of a run's timeline. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  measureSpan,
  readRunSegments,
  readSegments,
  readStepSegments,
} from '../../../../clients/console/app/runs/timeline/timelineBars.ts'

const at = (second: number) => new Date(second * 1_000).toISOString()
const seconds = (segments: ReturnType<typeof readSegments>) =>
  segments.map(({ type, from, to }) => [type, from / 1_000, to / 1_000])

test('the statuses of a run become queue wait, work, and waiting for people', () => {
  const changes = [
    { at: at(0), status: 'QUEUED' },
    { at: at(2), status: 'QUEUED' },
    { at: at(5), status: 'STARTING' },
    { at: at(6), status: 'RUNNING' },
    { at: at(10), status: 'WAITING_FOR_INPUT' },
    { at: at(20), status: 'RUNNING' },
    { at: at(25), status: 'SUCCEEDED' },
  ]
  assert.deepEqual(seconds(readSegments(changes, 25_000)), [
    ['QUEUE', 0, 5],
    ['WORK', 5, 10],
    ['PEOPLE', 10, 20],
    ['WORK', 20, 25],
  ])
})

test('a child run that was never admitted has only waited, and one that has not started has no bar', () => {
  const canceled = { queuedAt: at(1), admittedAt: null, endedAt: at(4) }
  assert.deepEqual(seconds(readRunSegments(canceled, 9_000)), [['QUEUE', 1, 4]])
  assert.deepEqual(readRunSegments({ queuedAt: null, admittedAt: null, endedAt: null }, 9_000), [])
})

test('the bar of an open approval is a wait for people until now', () => {
  const approval = { kind: 'APPROVAL', startedAt: at(3), endedAt: null }
  assert.deepEqual(seconds(readStepSegments(approval, 8_000)), [['PEOPLE', 3, 8]])
})

test('the span reaches from the first to the last moment, and is never zero', () => {
  const bar = { id: 'run', title: '', status: '', href: undefined }
  const segments = readSegments([{ at: at(2), status: 'RUNNING' }], 7_000)
  assert.deepEqual(measureSpan([{ ...bar, segments }]), { from: 2_000, ms: 5_000 })
  assert.equal(measureSpan([{ ...bar, segments: [] }]).ms, 1)
})
