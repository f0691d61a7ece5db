/** A connected agent that never accepts the offered job: the list of stuck actors shows the job. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compile } from '../../actors/decide/logic.ts'
import { actorHandlers } from '../../gateway/operations/operators/actors.ts'
import { machines } from '../../machines/machines.ts'
import type { ActorEvent, ActorRef } from '../../spec/core/actor.ts'
import { siblingId } from '../../spec/core/ids.ts'
import { settled } from '../kit/runtime/manualClock.ts'
import { inits } from '../kit/runtime/samples/samples.ts'
import { startWorktree } from '../kit/runtime/worktreeSystem.ts'

interface Stuck {
  readonly actor: { readonly id: string; readonly status: string }
  readonly cause: string
  readonly since: string
  readonly waitsFor: readonly string[]
  readonly accepts: readonly string[]
}

const facts = { hostname: 'h', platform: 'p', arch: 'a', version: '1' }
const connect = { type: 'connect', facts, clis: [], forgot: [], gone: [] }

async function openOffers() {
  const { clock, storage, agent, newId, run, ask, system } = await startWorktree()
  const runId = newId('run')
  const job: ActorRef = { kind: 'job', id: siblingId('job', runId) }
  const stuckActors = actorHandlers.find(({ name }) => name === 'stuckActors')
  const read = stuckActors?.kind === 'query' ? stuckActors.read : assert.fail('no stuckActors')
  return {
    clock,
    agent,
    job,
    send: async (to: ActorRef, event: ActorEvent) => {
      await ask(to, event)
      await settled()
    },
    newJob: async () => {
      await run(runId)
      await settled()
    },
    status: async () => (await system.peek(job))?.columns.status,
    stuck: async (): Promise<readonly Stuck[]> => {
      const context = { views: storage.views, now: clock.now() } as unknown as Parameters<typeof read>[1]
      const page = (await read({ kind: 'job' } as never, context)) as { nodes: readonly Stuck[] }
      return page.nodes
    },
  }
}

type Offers = Awaited<ReturnType<typeof openOffers>>

/** The job is offered for the first time now. */
async function offered(): Promise<Offers> {
  const offers = await openOffers()
  await offers.send(offers.agent, connect)
  await offers.newJob()
  assert.equal(await offers.status(), 'OFFERED')
  return offers
}

const accept = (attempt = 1) => ({ type: 'accept', epoch: 1, attempt, tokenHash: null, issuedAt: 0 })

test('a job that a connected agent has not accepted for 60 s counts as stuck, and the list shows what it waits for', async () => {
  const { clock, job, stuck } = await offered()
  const since = clock.now() + 60_000
  await clock.advance(60_000 - 1)
  assert.deepEqual(await stuck(), [])
  await clock.advance(1)
  const [one, ...others] = await stuck()
  assert.deepEqual(others, [])
  assert.deepEqual(
    { id: one?.actor.id, cause: one?.cause, since: one?.since, waitsFor: one?.waitsFor.at(-1) },
    {
      id: job.id,
      cause: 'OVERDUE',
      since: new Date(since).toISOString(),
      waitsFor: 'the agent to accept what it is offered again and again',
    },
  )
  assert.ok(one?.accepts.includes('cancel'))
  for (let n = 0; n < 20; n++) {
    await clock.advance(7_000)
    assert.equal((await stuck()).length, 1, `after ${n * 7} s more`)
  }
})

test('a stuck job is no longer stuck once the agent accepts it', async () => {
  const { clock, job, send, status, stuck } = await offered()
  await clock.advance(90_000)
  assert.equal((await stuck()).length, 1)
  await send(job, accept())
  assert.deepEqual([await status(), await stuck()], ['RUNNING', []])
})

test('a stuck job is no longer stuck once the agent is disconnected, and its 60 s start again when the agent connects', async () => {
  const { clock, agent, send, status, stuck } = await offered()
  await clock.advance(90_000)
  assert.equal((await stuck()).length, 1)
  await send(agent, { type: 'disconnected', epoch: 1 })
  await clock.advance(10_000)
  assert.deepEqual([await status(), await stuck()], ['QUEUED', []])
  await clock.advance(3_600_000)
  assert.deepEqual(await stuck(), [])
  await send(agent, connect)
  await clock.advance(59_000)
  assert.deepEqual(await stuck(), [])
  await clock.advance(1_000)
  assert.equal((await stuck()).length, 1)
})

test('a job that waits for a disconnected agent is not stuck, even after an hour', async () => {
  const { clock, newJob, status, stuck } = await openOffers()
  await newJob()
  await clock.advance(3_600_000)
  assert.deepEqual([await status(), await stuck()], ['QUEUED', []])
})

test('a job that an earlier version of the program stored as OFFERED can be accepted after the upgrade', () => {
  const logic = compile(machines.job)
  const context = { ...logic.first({ id: 'job_1', init: inits.job, at: 0 })[0].context, epoch: 1 }
  const old = logic.restore({ lifecycle: 'OFFERED', incident: 'CLEAR' }, context)
  const [next] = logic.next(old, { ...accept(), at: 1 })
  assert.deepEqual(next.configuration.value, { lifecycle: 'RUNNING', offers: 'NONE', incident: 'CLEAR' })
})
