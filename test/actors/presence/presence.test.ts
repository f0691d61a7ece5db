/** The agents that count as silent, lost or connected. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Presence } from '../../../actors/presence/presence.ts'
import { leaseMs, lossMs, silenceMs } from '../../../actors/presence/silence.ts'
import type { ActorRow } from '../../../spec/core/actor.ts'
import type { LocalFeed } from '../../../storage/feed/localFeed.ts'
import { ManualClock } from '../../kit/runtime/manualClock.ts'
import { openMemoryStorage } from '../../kit/runtime/memory/memory.ts'
import { MemoryState } from '../../kit/runtime/memory/state.ts'

const agentId = 'agt_01arz3ndektsv4rrffq69g5fav'
const jobId = 'job_01arz3ndektsv4rrffq69g5fav'

function rowOf(kind: 'agent' | 'job', id: string, status: string, context: ActorRow['context'], at: number): ActorRow {
  return {
    kind,
    id,
    seq: 1,
    columns: { status, terminal: false, unwatched: false, incidents: 0, agentId },
    createdAt: at,
    changedAt: at,
    value: status,
    context,
    init: {},
    timers: [],
    machine: { version: 1, hash: '' },
  }
}

interface WorldOptions {
  /** The stored rows. A test may change them. */
  readonly loaded?: { agents: ActorRow[]; jobs: ActorRow[] }
  readonly jobs?: boolean
  readonly state?: MemoryState
  readonly clock?: ManualClock
}

async function world(options: WorldOptions = {}) {
  const clock = options.clock ?? new ManualClock()
  const state = options.state ?? new MemoryState()
  const storage = openMemoryStorage({ state })
  const told: string[] = []
  const epochs: unknown[] = []
  const agent = (status: string) => rowOf('agent', agentId, status, { epoch: 3 }, clock.now())
  const loaded = options.loaded ?? {
    agents: [{ ...agent('CONNECTED'), changedAt: 0 }],
    jobs: options.jobs ? [rowOf('job', jobId, 'RUNNING', { attempt: 1 }, 0)] : [],
  }
  const presence = new Presence({
    store: storage.presence,
    feed: storage.feed,
    clock,
    tell: async (to, event) => {
      told.push(`${event.type} ${to.kind}`)
      epochs.push(event.epoch)
      const status = event.type === 'silent' ? 'DISCONNECTED' : 'LOST'
      if (to.kind === 'agent') storage.feed.publish([{ ref: to, seq: 2, row: agent(status) }])
    },
    load: async () => loaded,
    rows: async (ids) =>
      new Map([...loaded.agents, ...loaded.jobs].flatMap((row) => (ids.includes(row.id) ? [[row.id, row]] : []))),
    problem: (error) => assert.fail(String(error)),
  })
  await presence.start()
  const beat = (jobs: readonly { jobId: string; attempt: number }[] = []) =>
    presence.pulse({ agentId, epoch: 3, at: clock.now(), jobs })
  return { clock, state, storage, presence, told, epochs, beat, agent, loaded }
}

test('an agent that sends heartbeats is never reported as silent or lost', async () => {
  const { clock, told, beat } = await world()
  for (let beats = 0; beats < 30; beats++) {
    beat()
    await clock.advance(15_000)
  }
  assert.deepEqual(told, [])
})

test('an agent without heartbeats is reported as silent after 45 s and as lost after 180 s, each once', async () => {
  const { clock, told, beat } = await world()
  beat()
  await clock.advance(silenceMs)
  assert.deepEqual(told, [])
  await clock.advance(2_000)
  assert.deepEqual(told, ['silent agent'])
  await clock.advance(lossMs)
  assert.deepEqual(told, ['silent agent', 'lost agent'])
})

test('after a restart the silence of an agent counts from the start of the process', async () => {
  const first = await world()
  first.beat()
  await first.clock.advance(6_000)
  await first.presence.stop()
  await first.clock.advance(3_600_000)
  const second = await world({ state: first.state, clock: first.clock })
  await second.clock.advance(silenceMs - 1_000)
  assert.deepEqual(second.told, [])
  await second.clock.advance(3_000)
  assert.deepEqual(second.told, ['silent agent'])
})

test('a heartbeat that another process received counts', async () => {
  const one = await world()
  const two = await world({ state: one.state, clock: one.clock })
  for (let beats = 0; beats < 20; beats++) {
    one.beat()
    await one.clock.advance(15_000)
  }
  assert.deepEqual(two.told, [])
})

test('the lease of a job expires if the heartbeats of its agent no longer name the job', async () => {
  const { clock, told, beat } = await world({ jobs: true })
  for (let beats = 0; beats < 4; beats++) {
    beat([{ jobId, attempt: 1 }])
    await clock.advance(15_000)
  }
  assert.deepEqual(told, [])
  for (let waited = 0; waited <= leaseMs + 15_000; waited += 15_000) {
    beat([{ jobId, attempt: 2 }])
    await clock.advance(15_000)
  }
  assert.deepEqual(told.at(0), 'leaseExpired job')
})

test('the jobs of an agent are left to the process that receives its heartbeats', async () => {
  const one = await world({ jobs: true })
  const two = await world({ jobs: true, state: one.state, clock: one.clock })
  for (let beats = 0; beats < 20; beats++) {
    one.beat([{ jobId, attempt: 1 }])
    await one.clock.advance(15_000)
  }
  assert.deepEqual([one.told, two.told], [[], []])
})

test('an agent that connects again can name its jobs before their leases are checked', async () => {
  const { clock, storage, told, beat, agent } = await world({ jobs: true })
  beat([{ jobId, attempt: 1 }])
  await clock.advance(100_000)
  assert.deepEqual(told, ['silent agent'])
  const back = agent('CONNECTED')
  storage.feed.publish([{ ref: back, seq: 3, row: { ...back, context: { epoch: 4 } } }])
  await clock.advance(2_000)
  beat([{ jobId, attempt: 1 }])
  await clock.advance(30_000)
  assert.deepEqual(told, ['silent agent'])
})

test('an agent that connected to another process is reported as silent after that process has stopped', async () => {
  const one = await world({ loaded: { agents: [], jobs: [] } })
  const two = await world({ loaded: { agents: [], jobs: [] }, state: one.state, clock: one.clock })
  await one.clock.advance(1_000)
  const row: ActorRow = { ...one.agent('CONNECTED'), context: { epoch: 7 } }
  for (const { loaded } of [one, two]) loaded.agents.push(row)
  one.storage.feed.publish([{ ref: row, seq: 2, row }])
  await one.clock.advance(2_000)
  await one.presence.stop()
  await one.clock.advance(silenceMs + 5_000)
  assert.deepEqual([two.told, two.epochs], [['silent agent'], [7]])
})

test('an agent that connected during a gap of the feed is read from storage', async () => {
  const { clock, storage, told, loaded, agent } = await world({ loaded: { agents: [], jobs: [] } })
  loaded.agents.push(agent('CONNECTED'))
  const feed = storage.feed as LocalFeed
  feed.gap()
  await clock.advance(silenceMs + 5_000)
  assert.deepEqual(told, ['silent agent'])
})

test('a heartbeat is visible as soon as it is received, and none is visible after the deletion of its agent', async () => {
  const { clock, presence, storage, beat, agent } = await world()
  await clock.advance(1_000)
  beat()
  assert.equal(presence.lastSeen(agentId), clock.now())
  beat()
  const ended: ActorRow = { ...agent('DELETED'), columns: { ...agent('DELETED').columns, terminal: true } }
  storage.feed.publish([{ ref: ended, seq: 4, row: ended }])
  assert.equal(presence.lastSeen(agentId), undefined)
  beat()
  await clock.advance(1_000)
  assert.equal(presence.lastSeen(agentId), undefined)
})

test('presence returns the status of each agent that it has, and none for any other', async () => {
  const { clock, presence, beat } = await world()
  beat()
  assert.equal(presence.status(agentId), 'CONNECTED')
  await clock.advance(silenceMs + 2_000)
  assert.equal(presence.status(agentId), 'DISCONNECTED')
  assert.equal(presence.status('agt_nobody'), undefined)
})

test('a wall clock that is set forward or back neither reports an agent as silent too early nor too late', async () => {
  for (const jump of [200_000, 3_600_000, -3_600_000]) {
    const { clock, told, beat } = await world({ jobs: true })
    beat([{ jobId, attempt: 1 }])
    await clock.advance(14_000)
    clock.setForward(jump)
    await clock.advance(2_000)
    beat([{ jobId, attempt: 1 }])
    await clock.advance(40_000)
    assert.deepEqual(told, [])
    await clock.advance(10_000)
    assert.deepEqual(told, ['silent agent'])
  }
})

test('heartbeats that another process receives count although its clock was set back', async () => {
  const one = await world()
  const other = new ManualClock()
  const two = await world({ state: one.state, clock: other })
  for (let beats = 0; beats < 20; beats++) {
    if (beats === 5) one.clock.setForward(-3_600_000)
    one.beat()
    await one.clock.advance(15_000)
    await other.advance(15_000)
  }
  assert.deepEqual(two.told, [])
})

test('a process that was suspended gives agents and jobs their whole time again', async () => {
  const { clock, told, beat } = await world({ jobs: true })
  beat([{ jobId, attempt: 1 }])
  await clock.advance(40_000)
  await clock.leap(600_000)
  await clock.advance(44_000)
  assert.deepEqual(told, [])
  beat([])
  await clock.advance(3_000)
  assert.deepEqual(told, ['leaseExpired job'])
})
