/** Who counts as silent, lost or alive. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leaseMs, lossMs, Presence, silenceMs } from '../../actors/presence.ts'
import type { ActorRow } from '../../spec/actor.ts'
import { MemoryState } from '../../storage/memory/state.ts'
import { openMemoryStorage } from '../../storage/memory.ts'
import { ManualClock } from '../support/manualClock.ts'

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

async function world(
  options: { readonly jobs?: boolean; readonly state?: MemoryState; readonly clock?: ManualClock } = {},
) {
  const clock = options.clock ?? new ManualClock()
  const state = options.state ?? new MemoryState()
  const storage = openMemoryStorage({ state })
  const told: string[] = []
  const agent = (status: string) => rowOf('agent', agentId, status, { epoch: 3 }, clock.now())
  const presence = new Presence({
    store: storage.presence,
    feed: storage.feed,
    clock,
    tell: async (to, event) => {
      told.push(`${event.type} ${to.kind}`)
      const status = event.type === 'silent' ? 'DISCONNECTED' : 'LOST'
      if (to.kind === 'agent') storage.feed.publish([{ ref: to, seq: 2, row: agent(status) }])
    },
    load: async () => ({
      agents: [agent('CONNECTED')],
      jobs: options.jobs ? [rowOf('job', jobId, 'RUNNING', { attempt: 1 }, clock.now())] : [],
    }),
    problem: (error) => assert.fail(String(error)),
  })
  await presence.start()
  const beat = (jobs: readonly { jobId: string; attempt: number }[] = []) =>
    presence.pulse({ agentId, epoch: 3, at: clock.now(), jobs })
  return { clock, state, storage, presence, told, beat, agent }
}

test('an agent that beats is never disturbed', async () => {
  const { clock, told, beat } = await world()
  for (let beats = 0; beats < 30; beats++) {
    beat()
    await clock.advance(15_000)
  }
  assert.deepEqual(told, [])
})

test('silence is said after 45 s, loss after 180 s, each once', async () => {
  const { clock, told, beat } = await world()
  beat()
  await clock.advance(silenceMs)
  assert.deepEqual(told, [])
  await clock.advance(2_000)
  assert.deepEqual(told, ['silent agent'])
  await clock.advance(lossMs)
  assert.deepEqual(told, ['silent agent', 'lost agent'])
})

test('a restart loses nobody: silence counts from the start of the process', async () => {
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

test('a heartbeat that another process heard counts', async () => {
  const one = await world()
  const two = await world({ state: one.state, clock: one.clock })
  for (let beats = 0; beats < 20; beats++) {
    one.beat()
    await one.clock.advance(15_000)
  }
  assert.deepEqual(two.told, [])
})

test("a job's lease runs out when its agent beats and no longer names it", async () => {
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

test('the jobs of an agent that another process hears are left to that process', async () => {
  const one = await world({ jobs: true })
  const two = await world({ jobs: true, state: one.state, clock: one.clock })
  for (let beats = 0; beats < 20; beats++) {
    one.beat([{ jobId, attempt: 1 }])
    await one.clock.advance(15_000)
  }
  assert.deepEqual([one.told, two.told], [[], []])
})

test('an agent that comes back has told which jobs it runs before their leases are looked at', async () => {
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
