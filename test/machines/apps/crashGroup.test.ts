/** A group of crash reports: when it waits for a person, and what it counts. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { CrashGroupContext } from '../../../machines/apps/crashGroup.ts'
import { crashGroupMembers } from '../../../machines/apps/crashGroupKeys.ts'
import { inits } from '../../kit/runtime/samples/samples.ts'
import { UnorderedActors } from '../../kit/runtime/unorderedActors.ts'

const group = { kind: 'crashGroup', id: 'cgr_1' } as const
const hour = 3_600_000
const start = Date.UTC(2026, 10, 28, 9)

let one: UnorderedActors
let count: number
beforeEach(() => {
  one = new UnorderedActors()
  one.now = start
  count = 0
  one.create(group, inits.crashGroup)
})

const send = (type: string, fields: object = {}) => one.send(group, { type, ...fields })
const context = () => one.context<CrashGroupContext>(group.id)
const state = () => one.state(group.id)

const usual = { version: '1.0', build: '1', crashedAt: start, receivedAt: start, buildSeenAt: start - hour }

/** Reports that have just been received. @returns the ID of the last one */
function crash(of: Partial<typeof usual> & { readonly times?: number } = {}): string {
  const { times = 1, receivedAt = one.now, ...own } = of
  for (let n = 0; n < times; n++) {
    const report = { ...usual, crashId: `crs_${++count}`, move: 1, crashedAt: receivedAt, receivedAt, ...own }
    send('reportJoined', report)
  }
  return `crs_${count}`
}

const counts = (prefix: string) =>
  [...context().members.range(prefix)].map(([key, value]) => [
    key.slice(prefix.length),
    typeof value === 'number' ? value : (value as { count: number }).count,
  ])

test('a group is NEW from its first report until a person acknowledges it', () => {
  assert.equal(state(), 'EMPTY')
  crash()
  assert.equal(state(), 'NEW')
  send('acknowledge')
  crash({ times: 5 })
  assert.deepEqual([state(), context().reports], ['ACKNOWLEDGED', 6])
})

test('a group counts reports by build and by day of the crash', () => {
  crash({ times: 2, crashedAt: start - 24 * hour })
  crash({ build: '2' })
  assert.deepEqual(counts(crashGroupMembers.build.prefix), [
    ['["1.0","1"]', 2],
    ['["1.0","2"]', 1],
  ])
  assert.deepEqual(counts(crashGroupMembers.day.prefix), [
    ['2026-11-27', 2],
    ['2026-11-28', 1],
  ])
  assert.deepEqual([context().firstCrashAt, context().lastCrashAt], [start - 24 * hour, start])
})

test('a report that moves to another group takes its counts with it, and a new group without reports is empty', () => {
  const crashId = crash()
  send('reportLeft', { crashId, move: 2 })
  assert.deepEqual([state(), context().reports], ['EMPTY', 0])
  assert.deepEqual([counts(crashGroupMembers.build.prefix), counts(crashGroupMembers.day.prefix)], [[], []])
  crash()
  assert.equal(state(), 'NEW')
})

test('messages that arrive late or twice change nothing', () => {
  const joined = { crashId: 'crs_9', version: '1.0', build: '1', crashedAt: start, receivedAt: start, buildSeenAt: 0 }
  send('reportLeft', { crashId: 'crs_9', move: 2 })
  assert.equal(send('reportJoined', { ...joined, move: 1 }).type, 'repeated', 'it has left before it joined')
  send('reportJoined', { ...joined, move: 3 })
  assert.equal(send('reportLeft', { crashId: 'crs_9', move: 2 }).type, 'repeated', 'it has come back')
  assert.equal(send('reportJoined', { ...joined, move: 3 }).type, 'repeated')
  // It leaves and comes back, and the second message is faster than the first.
  send('reportJoined', { ...joined, move: 5 })
  assert.equal(send('reportLeft', { crashId: 'crs_9', move: 4 }).type, 'repeated')
  assert.equal(context().reports, 1)
})

test('reports that were received earlier than in the hour before are no spike of the group that they join', () => {
  crash({ times: 30, receivedAt: start - 48 * hour })
  assert.deepEqual([state(), context().reports, context().pace.count], ['NEW', 30, 0])
  crash({ times: 25, receivedAt: start - hour })
  assert.equal(state(), 'SPIKING')
})

test('25 reports within an hour are a spike of a group that had fewer', () => {
  crash()
  send('acknowledge')
  crash({ times: 23 })
  assert.equal(state(), 'ACKNOWLEDGED')
  crash()
  assert.equal(state(), 'SPIKING')
})

test('a new group can spike before a person has seen it', () => {
  crash({ times: 25 })
  assert.equal(state(), 'SPIKING')
})

test('a group with an acknowledged rate spikes only at five times that rate', () => {
  crash({ times: 40 })
  send('acknowledge')
  crash({ times: 159 })
  assert.equal(state(), 'ACKNOWLEDGED')
  crash()
  assert.equal(state(), 'SPIKING')
})

test('the usual rate follows the last day: a steady rate is no spike, and the same rate after a quiet month is one', () => {
  crash({ times: 10 })
  send('acknowledge')
  for (let hours = 1; hours <= 48; hours++) crash({ times: 30, receivedAt: start + hours * hour })
  for (let hours = 49; hours <= 72; hours++) crash({ times: 60, receivedAt: start + hours * hour })
  assert.equal(state(), 'ACKNOWLEDGED')
  crash({ times: 60, receivedAt: start + 30 * 24 * hour })
  assert.equal(state(), 'SPIKING', 'a month later nothing is usual')
})

test('old reports that move to a group are no spike', () => {
  crash()
  send('acknowledge')
  crash({ times: 1_000, receivedAt: start - 2 * hour })
  assert.equal(state(), 'ACKNOWLEDGED')
})

test('a resolved crash regresses with a build that is newer than those that had it, and not with an older one', () => {
  crash({ build: '2', buildSeenAt: start - 2 * hour })
  send('resolve')
  crash({ build: '2', buildSeenAt: start - 2 * hour })
  crash({ build: '1', buildSeenAt: start - 9 * hour })
  assert.equal(state(), 'RESOLVED')
  crash({ build: '3', buildSeenAt: start - hour })
  assert.equal(state(), 'REGRESSED')
  send('acknowledge')
  assert.equal(state(), 'ACKNOWLEDGED')
})

test('a resolved crash is counted and never spikes', () => {
  crash()
  send('resolve')
  crash({ times: 100 })
  assert.deepEqual([state(), context().reports], ['RESOLVED', 101])
})

test('each wait for a person has its own time', () => {
  crash()
  const first = context().waitsSince
  send('acknowledge')
  one.now += hour
  crash({ times: 30 })
  assert.deepEqual([state(), context().waitsSince], ['SPIKING', first + hour])
})

test('a regressed group whose reports all leave is resolved again, and waits for no person', () => {
  const crashId = crash()
  send('resolve')
  const newer = crash({ build: '2', buildSeenAt: start })
  assert.equal(state(), 'REGRESSED')
  send('reportLeft', { crashId, move: 2 })
  assert.equal(state(), 'REGRESSED')
  send('reportLeft', { crashId: newer, move: 2 })
  assert.deepEqual([state(), context().reports], ['RESOLVED', 0])
})
