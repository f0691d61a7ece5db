/** The store of presence: its events, and what its subscribers see of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPresenceState } from '../../../actors/presence/presenceState.ts'
import { expiredLeases, leaseMs, silenceMs, silentFor } from '../../../actors/presence/silence.ts'
import type { ActorRow } from '../../../spec/core/actor.ts'

const agentId = 'agt_01arz3ndektsv4rrffq69g5fav'
const jobId = 'job_01arz3ndektsv4rrffq69g5fav'

const row = (kind: 'agent' | 'job', id: string, status: string): ActorRow => ({
  kind,
  id,
  seq: 1,
  columns: { status, terminal: false, unwatched: false, incidents: 0, agentId },
  createdAt: 0,
  changedAt: 0,
  value: status,
  context: { epoch: 1, attempt: 1 },
  init: {},
  timers: [],
  machine: { version: 1, hash: '' },
})

function connected() {
  const state = createPresenceState()
  state.trigger.agentChanged({ row: row('agent', agentId, 'CONNECTED'), now: 0 })
  state.trigger.jobChanged({ row: row('job', jobId, 'RUNNING'), now: 0 })
  return state
}

const heartbeat = (receivedAt: number, jobs: readonly { jobId: string; attempt: number }[] = []) => ({
  beats: [{ beat: { agentId, epoch: 1, at: receivedAt, jobs }, receivedAt }],
})

test('subscribers and selections see each event, though the entries change in place', () => {
  const state = connected()
  const seen: unknown[] = []
  const lastSeen = state.select(({ agents }) => agents.get(agentId)?.seenAt)
  state.subscribe(({ context }) => seen.push(context.agents.get(agentId)?.seenAt))
  state.trigger.heartbeatsReceived(heartbeat(1))
  state.trigger.heartbeatsReceived(heartbeat(2))
  assert.deepEqual([seen, lastSeen.get()], [[1, 2], 2])
})

test('a selection follows heartbeats, the resumption of the process, and the heartbeats of other processes', () => {
  const state = connected()
  const isSilent = (now: number) => silentFor(state.getSnapshot().context, silenceMs, now).length === 1
  state.trigger.heartbeatsReceived(heartbeat(10_000))
  assert.deepEqual([isSilent(55_000), isSilent(55_001)], [false, true])
  state.trigger.processResumed({ now: 20_000 })
  assert.deepEqual([isSilent(65_000), isSilent(65_001)], [false, true])
  state.trigger.storedTimesRead({ times: new Map([[agentId, 1]]), now: 30_000 })
  assert.equal(isSilent(65_001), true, 'the first stored time may be of any heartbeat')
  state.trigger.storedTimesRead({ times: new Map([[agentId, 2]]), now: 40_000 })
  assert.deepEqual([isSilent(85_000), isSilent(85_001)], [false, true])
})

test('a lease expires if heartbeats do not name its job, and not while the agent is silent', () => {
  const state = connected()
  const expired = (now: number) => expiredLeases(state.getSnapshot().context, now).map(([id]) => id)
  assert.deepEqual(expired(leaseMs + 1), [], 'this process has received no heartbeat')
  state.trigger.heartbeatsReceived(heartbeat(leaseMs))
  assert.deepEqual(expired(leaseMs + 1), [jobId])
  assert.deepEqual(expired(leaseMs + silenceMs + 1), [], 'the agent is silent')
  state.trigger.heartbeatsReceived(heartbeat(leaseMs, [{ jobId, attempt: 1 }]))
  assert.deepEqual(expired(leaseMs + 1), [])
})

test('heartbeats that could not be written are written with the next ones', () => {
  const state = connected()
  const unwritten = () => [...state.getSnapshot().context.agents.values()].filter((agent) => agent.isUnwritten)
  state.trigger.heartbeatsReceived(heartbeat(1))
  const agents = unwritten()
  state.trigger.writeBegan({ agents })
  assert.equal(unwritten().length, 0)
  state.trigger.writeFailed({ agents })
  assert.equal(unwritten().length, 1)
})
