/**
 * Run, queue, job and agent together, under every order of delivery that chance finds: messages overtake one another, agents
 * come and go, people cancel. At the end every run is over and every slot is free.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { agentMembers } from '../../../machines/agents/agentKeys.ts'
import { siblingId } from '../../../spec/core/ids.ts'
import { UnorderedActors } from '../../kit/runtime/unorderedActors.ts'

const suffix = (n: number): string =>
  n
    .toString(32)
    .replace(/[ilou]/g, 'z')
    .padStart(26, '0')
const agent = { kind: 'agent', id: `agt_${suffix(1)}` } as const
const worktreeId = `wt_${suffix(2)}`
const queue = { kind: 'worktreeQueue', id: siblingId('worktreeQueue', worktreeId) } as const
const runId = (n: number): string => `run_${suffix(100 + n)}`

type Kind = 'PLAN' | 'SESSION'

function runInit(kind: Kind, number: number, limit: number, exclusive: boolean, parentRunId: string | null) {
  return {
    kind,
    number,
    title: 'a run',
    worktreeId,
    codebaseId: `cbs_${suffix(3)}`,
    agentId: agent.id,
    ownerId: `${kind === 'PLAN' ? 'pln' : 'ses'}_${suffix(200 + number)}`,
    parentRunId,
    above: parentRunId === null ? [] : [parentRunId],
    limit,
    exclusive,
    timeoutSeconds: 60,
    jobKind: 'COMMANDS',
    spec: {},
    requestedBy: 'usr',
    createdAt: 1_700_000_000_000,
  }
}

function newWorld(): UnorderedActors {
  const world = new UnorderedActors()
  const facts = { hostname: 'h', platform: 'linux', arch: 'x64', version: '1' }
  world.create(agent, { enrollmentId: `enr_${suffix(1)}`, name: 'a', credentialHash: 'h', facts, createdAt: world.now })
  world.create(queue, { worktreeId, codebaseId: 'c', agentId: agent.id, createdAt: world.now })
  return world
}

interface AgentContext {
  readonly epoch: number
  readonly loose: number
  readonly online: boolean
}

const connect = {
  type: 'connect',
  facts: { hostname: 'h', platform: 'p', arch: 'a', version: '1' },
  clis: [],
  forgot: [],
  gone: [],
}

/** The messages of the agent's program about a job after an offer or a request to stop. */
function agentActs(world: UnorderedActors, jobId: string, choice: number): void {
  const job = { kind: 'job', id: jobId } as const
  const { epoch } = world.context<AgentContext>(agent.id)
  const { attempt } = world.context<{ attempt: number }>(jobId)
  const word = { epoch, attempt }
  const state = world.state(jobId)
  const done = {
    ...word,
    type: 'complete',
    exitCode: 0,
    signal: null,
    problem: null,
    logChunks: 0,
    logSha256: String(choice),
    result: null,
  }
  if (state === 'OFFERED') {
    if (choice % 5 === 0) world.send(job, { ...word, type: 'refuseOffer', code: 'NO', message: 'no' })
    else if (choice % 5 < 4) world.send(job, { ...word, type: 'accept', tokenHash: `t${choice}`, issuedAt: world.now })
  } else if (state === 'RUNNING') {
    const what = choice % 6
    if (what === 0) world.send(job, { ...word, type: 'started' })
    else if (what === 1) world.send(job, { ...word, type: 'waiting', questionId: `q${choice}`, question: { a: 1 } })
    else if (what === 2) {
      const { question } = world.context<{ question: { id: string } | null }>(jobId)
      if (question) world.send(job, { ...word, type: 'resumed', questionId: question.id })
    } else {
      const outcome = ['SUCCEEDED', 'FAILED', 'TIMED_OUT'][what - 3] ?? 'FAILED'
      world.send(job, { ...done, outcome, processesLeft: choice % 7 === 0 ? 2 : 0 })
    }
  } else if (state === 'CANCELING' && choice % 3 !== 0) {
    world.send(job, { ...done, outcome: 'CANCELED', processesLeft: 0 })
  }
}

const action = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: fc.constant('deliver' as const), pick: fc.nat(1000) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('agent' as const), pick: fc.nat(1000) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('run' as const), pick: fc.nat(1000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), pick: fc.nat(1000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('timer' as const), pick: fc.nat(1000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('steer' as const), pick: fc.nat(1000) }) },
)

function play(
  world: UnorderedActors,
  actions: readonly { readonly do: string; readonly pick: number }[],
  revokes: boolean,
): number {
  let runs = 0
  const jobs = () => [...world.actors.values()].filter((live) => live.ref.kind === 'job').map((live) => live.ref.id)
  for (const { do: what, pick } of actions) {
    world.now += pick % 50
    if (what === 'deliver' && world.mail.length > 0) world.deliver(pick % world.mail.length)
    if (what === 'agent') {
      const all = jobs()
      const jobId = all[pick % Math.max(1, all.length)]
      if (jobId !== undefined && world.context<AgentContext>(agent.id).online) agentActs(world, jobId, pick)
    }
    if (what === 'run' && runs < 12) {
      const parent = runs > 0 && pick % 3 === 0 ? runId(pick % runs) : null
      const init = runInit(pick % 2 ? 'SESSION' : 'PLAN', runs, pick % 3, pick % 5 === 0, parent)
      world.create({ kind: 'run', id: runId(runs) }, init)
      runs += 1
    }
    if (what === 'cancel' && runs > 0) {
      const to = { kind: 'run', id: runId(pick % runs) } as const
      world.send(to, { type: pick % 4 === 0 ? 'terminate' : pick % 4 === 1 ? 'configure' : 'cancel', limit: pick % 4 })
    }
    if (what === 'timer') {
      const timers = world.timers()
      const timer = timers[pick % Math.max(1, timers.length)]
      if (timer !== undefined) world.fire(timer.id, timer.timer)
    }
    if (what === 'steer') steer(world, pick, revokes)
  }
  return runs
}

function steer(world: UnorderedActors, pick: number, revokes: boolean): void {
  const { epoch } = world.context<AgentContext>(agent.id)
  const events = [
    () => world.send(agent, connect),
    () => world.send(agent, { type: 'disconnected', epoch }),
    () => world.send(agent, { type: 'lost', epoch }),
    () => world.send(agent, { type: 'drain' }),
    () => world.send(agent, { type: 'activate' }),
    () => world.send(queue, { type: 'pause' }),
    () => world.send(queue, { type: 'resume' }),
    () => (revokes && pick % 16 === 15 ? world.send(agent, { type: 'revoke' }) : world.send(agent, connect)),
  ]
  events[pick % events.length]?.()
}

/** All faults end: the agent is connected, completes its jobs, and reports the jobs that no longer exist. */
function settle(world: UnorderedActors): void {
  world.send(queue, { type: 'resume' })
  world.send(agent, { type: 'activate' })
  for (let round = 0; round < 2_000; round += 1) {
    while (world.mail.length > 0) world.deliver(world.mail.length - 1)
    if (!world.context<AgentContext>(agent.id).online) world.send(agent, connect)
    let acted = false
    for (const live of [...world.actors.values()]) {
      if (live.ref.kind !== 'job' || live.snapshot.columns.terminal) continue
      acted = true
      agentActs(
        world,
        live.ref.id,
        world.state(live.ref.id) === 'OFFERED' ? 1 : world.state(live.ref.id) === 'RUNNING' ? 3 : 1,
      )
    }
    confirm(world)
    if (acted || world.mail.length > 0) continue
    const [timer] = world
      .timers()
      .filter(({ id }) => id.startsWith('run_') || id.startsWith('job_'))
      .sort((a, b) => a.due - b.due)
    if (timer === undefined) return
    world.fire(timer.id, timer.timer)
  }
}

/** Heartbeats that do not name them any more, and an operator for what the agent could not kill. */
function confirm(world: UnorderedActors): void {
  const { members } = world.context<{ members: import('../../../machines/framework/members.ts').Members }>(agent.id)
  const loose = [...members.range(agentMembers.looseJob.prefix)].map(([key]) => agentMembers.looseJob.toId(key))
  if (loose.length > 0) world.send(agent, { type: 'jobsGone', jobIds: loose })
}

function check(world: UnorderedActors, runs: number): void {
  const { held, waiting, reservedBy, members } = world.context<{
    held: Record<string, number>
    waiting: number
    reservedBy: string | null
    members: { size: number }
  }>(queue.id)
  for (const { ref, snapshot } of world.actors.values()) {
    const { init: _init, members: _members, ...context } = snapshot.state.context as Record<string, unknown>
    const stored = JSON.stringify({ value: snapshot.state.configuration.value, context })
    assert.ok(stored.length < 2_000, `the snapshot of ${ref.id} has ${stored.length} characters`)
  }
  const story = () => world.log.slice(-200).join('\n')
  for (let n = 0; n < runs; n += 1)
    assert.ok(world.isOver(runId(n)), `${runId(n)} is ${world.state(runId(n))}\n${story()}`)
  assert.deepEqual(
    { held, waiting, reservedBy, members: members.size },
    { held: { PLAN: 0, SESSION: 0, WORKFLOW: 0, BUILD: 0 }, waiting: 0, reservedBy: null, members: 0 },
    story(),
  )
}

test('every run ends and every slot is freed, in any order of the messages', () => {
  fc.assert(
    fc.property(fc.array(action, { minLength: 20, maxLength: 250 }), (actions) => {
      const world = newWorld()
      const runs = play(world, actions, false)
      settle(world)
      check(world, runs)
    }),
    { numRuns: 400 },
  )
})

test('the revocation of the agent at any time ends every run and frees every slot', () => {
  fc.assert(
    fc.property(fc.array(action, { minLength: 20, maxLength: 200 }), fc.nat(1000), (actions, seed) => {
      const world = newWorld()
      const runs = play(world, actions, true)
      world.send(agent, { type: 'revoke' })
      for (let guard = 0; world.mail.length > 0 && guard < 20_000; guard += 1)
        world.deliver((seed * guard) % world.mail.length)
      for (let guard = 0; guard < 200; guard += 1) {
        const [timer] = world.timers().filter(({ id }) => id.startsWith('run_') || id.startsWith('job_'))
        if (timer === undefined) break
        world.fire(timer.id, timer.timer)
        while (world.mail.length > 0) world.deliver(0)
      }
      check(world, runs)
    }),
    { numRuns: 300 },
  )
})
