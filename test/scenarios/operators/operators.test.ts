/** Operators read actors of any kind, their history, their charts and the stuck actors. Secrets are never shown. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import postgres from 'postgres'
import { USERNAME } from '../../../storage/embedded/initialize.ts'
import { PORT } from '../../../storage/embedded/socketFolder.ts'
import { ada } from '../../kit/program/accounts.ts'
import { type BareAgent, reportWorktree, startBareAgent } from '../../kit/program/bareAgent.ts'
import { type Machine, startMachine } from '../../kit/program/machine.ts'
import { mutate, type RunView, startRun, untilRun } from '../../kit/program/runs.ts'
import { refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let machine: Machine
let bare: BareAgent
let waiting: RunView
let done: RunView

before(async () => {
  stage = await startTestProgram()
  bare = await startBareAgent(stage, 'never-accepts')
  const { main } = await reportWorktree(stage, bare, '/srv/never')
  waiting = await startRun(stage.ask, { worktreeId: main, command: 'true' })
  machine = await startMachine(stage, { branches: ['work'] })
  const asked = await startRun(stage.ask, { worktreeId: machine.worktree('work'), prompt: 'say hello' })
  done = await untilRun(stage.ask, asked.id, ['SUCCEEDED'])
})
after(() => stage?.end())

const actorFields =
  'id kind title status phase state context init sequence terminal incidents stuckAt timers { id event due } machineVersion machineHash createdAt changedAt'
const stepFields =
  'actorId kind sequence at event payload from to status change timersSet { id event due } timersCanceled effects { id type to } effectCount cause { type id reason } principal requestId machineVersion machineHash'

interface Actor {
  readonly id: string
  readonly kind: string
  readonly title: string | null
  readonly status: string
  readonly phase: string | null
  readonly sequence: number
  readonly terminal: boolean
  readonly machineHash: string
  readonly context: Record<string, unknown>
}
interface Step {
  readonly sequence: number
  readonly event: string
  readonly from: unknown
  readonly to: unknown
  readonly status: string
  readonly cause: { readonly type: string }
  readonly principal: string
  readonly machineHash: string
}

const actorOf = async (id: string) =>
  (await stage.ask<{ actor: Actor | null }>(`query ($id: ID!) { actor(id: $id) { ${actorFields} } }`, { id })).actor
const historyOf = async (id: string) =>
  (
    await stage.ask<{ actorHistory: { nodes: Step[]; totalCount: number } }>(
      `query ($id: ID!) { actorHistory(id: $id, first: 100) { nodes { ${stepFields} } totalCount } }`,
      { id },
    )
  ).actorHistory

test('the title of an actor is its current name', async () => {
  const titleOf = async (id: string) => (await actorOf(id))?.title
  const jobId = done.id.replace('run_', 'job_')
  assert.deepEqual(await Promise.all([done.id, bare.agentId, jobId].map(titleOf)), ['say hello', 'never-accepts', null])
  const input = { bundleIdentifier: 'com.example.orders', name: 'Orders' }
  const { app } = await mutate<{ app: { id: string } }>(stage.ask, 'createApp', input, 'app { id }')
  await mutate(stage.ask, 'updateApp', { appId: app.id, name: 'Shop' }, 'app { id }')
  assert.equal(await titleOf(app.id), 'Shop')
})

test('an actor has a history without a gap, and the definition of its machine is stored', async () => {
  const actor = await actorOf(done.id)
  assert.deepEqual([actor?.kind, actor?.status, actor?.terminal], ['RUN', 'SUCCEEDED', true])
  const history = await historyOf(done.id)
  assert.equal(history.totalCount, actor?.sequence)
  assert.deepEqual(
    history.nodes.map(({ sequence }) => sequence),
    history.nodes.map((_, index) => index + 1),
  )
  assert.equal(history.nodes[0]?.from, null)
  for (const [index, step] of history.nodes.entries())
    if (index > 0)
      assert.deepEqual(
        step.from,
        history.nodes[index - 1]?.to,
        `transition ${step.sequence} begins where the last ended`,
      )
  const last = history.nodes.at(-1)
  assert.equal(last?.status, 'SUCCEEDED')
  assert.equal(
    history.nodes[0]?.principal.startsWith('key_'),
    true,
    'the first transition names the key that requested it',
  )
  const { machines } = await stage.ask<{
    machines: { hash: string; kind: string; definition: string; states: { status: string; count: number }[] }[]
  }>('{ machines(kind: RUN) { kind hash version definition firstSeenAt states { status count oldestAt } } }')
  const chart = machines.find(({ hash }) => hash === last?.machineHash)
  assert.ok(chart, 'the definition that ran is kept by its hash')
  assert.match(chart.definition, /WAITING_FOR_INPUT/)
  assert.ok(
    chart.states.some(({ status, count }) => status === 'ADMITTED' && count === 1),
    JSON.stringify(chart.states),
  )
})

test('actors of every kind can be listed, filtered by state, and read through node', async () => {
  const { machines } = await stage.ask<{ machines: { kind: string }[] }>('{ machines { kind } }')
  for (const kind of new Set(machines.map((machine) => machine.kind))) {
    const { actors } = await stage.ask<{ actors: { nodes: Actor[]; totalCount: number } }>(
      `query ($kind: ActorKind!) { actors(kind: $kind, first: 100) { nodes { ${actorFields} } totalCount } }`,
      { kind },
    )
    assert.equal(actors.nodes.length, actors.totalCount, kind)
    for (const { id } of actors.nodes) await historyOf(id)
  }
  const { actors } = await stage.ask<{ actors: { nodes: Actor[] } }>(
    `{ actors(kind: RUN, state: "SUCCEEDED") { nodes { ${actorFields} } } }`,
  )
  assert.deepEqual(
    actors.nodes.map(({ id }) => id),
    [done.id],
  )
  for (const id of [machine.agentId, machine.codebaseId, machine.worktree('work'), done.id]) {
    const { node } = await stage.ask<{ node: { id: string } | null }>('query ($id: ID!) { node(id: $id) { id } }', {
      id,
    })
    assert.equal(node?.id, id)
  }
})

test('an unknown ID gives null or NOT_FOUND, and an ID of a wrong form is refused with its field', async () => {
  const unknown = `run_${'0'.repeat(26)}`
  assert.equal(await actorOf(unknown), null)
  assert.deepEqual(await stage.ask('query ($id: ID!) { node(id: $id) { id } }', { id: unknown }), { node: null })
  assert.equal((await refusal(historyOf(unknown))).code, 'NOT_FOUND')
  for (const query of [
    'actor(id: $id) { id }',
    'actorHistory(id: $id) { totalCount }',
    'node(id: $id) { id }',
    'run(id: $id) { id }',
  ]) {
    const refused = await refusal(stage.ask(`query ($id: ID!) { ${query} }`, { id: 'nonsense' }))
    assert.deepEqual([refused.code, refused.details.field], ['BAD_USER_INPUT', 'id'], `${query}: ${refused.message}`)
  }
})

test('a job that its agent never accepts is offered again, and its run shows that it waits for the agent', async () => {
  const jobId = waiting.id.replace('run_', 'job_')
  const job = await actorOf(jobId)
  assert.ok(['OFFERED', 'QUEUED'].includes(job?.status ?? ''), job?.status)
  const offers = () => bare.offers.items.filter((offer) => offer.jobId === jobId && offer.signal === 'OFFER').length
  await until('the second offer', () => (offers() >= 2 ? true : undefined), 15_000)
  const run = await actorOf(waiting.id)
  assert.deepEqual([run?.status, run?.phase], ['ADMITTED', 'WAITING_FOR_AGENT'])
})

interface Stuck {
  readonly actor: Actor
  readonly cause: string
  readonly since: string
  readonly waitsFor: readonly string[]
  readonly accepts: readonly string[]
}
const stuckOnes = async (args = '') =>
  (
    await stage.ask<{ stuckActors: { nodes: Stuck[]; totalCount: number } }>(
      `{ stuckActors${args} { nodes { actor { ${actorFields} } cause since waitsFor accepts effects { id type attempts problem } } totalCount } }`,
    )
  ).stuckActors

test('an overdue actor is listed as stuck, with its cause, since when, what it waits for and the events that it accepts', async () => {
  assert.deepEqual(await stuckOnes(), { nodes: [], totalCount: 0 }, 'nothing that goes as it should is stuck')
  const host = join(stage.dataDir, 'postgres')
  const sql = postgres({ host, port: PORT, database: 'signalbox', username: USERNAME, max: 1 })
  const since = Date.now() - 60_000
  // It simulates a lost timer: the time has passed without a transition.
  await sql`update actor set stuck_at = ${since} where id = ${waiting.id}`
  await sql.end()
  const { nodes, totalCount } = await stuckOnes('(kind: RUN)')
  assert.equal(totalCount, 1)
  const [stuck] = nodes
  assert.deepEqual(
    [stuck?.actor.id, stuck?.cause, stuck?.since],
    [waiting.id, 'OVERDUE', new Date(since).toISOString()],
  )
  assert.deepEqual(stuck?.waitsFor, ['its agent to accept the job'])
  for (const event of ['cancel', 'terminate', 'jobChanged'])
    assert.ok(stuck?.accepts.includes(event), `${event} of ${stuck?.accepts}`)
  assert.equal((await stuckOnes('(kind: AGENT)')).totalCount, 0)
  const listed = async (state: string) =>
    (
      await stage.ask<{ actors: { nodes: Actor[]; totalCount: number } }>(
        'query ($state: String) { actors(kind: RUN, stuck: true, state: $state, first: 1) { nodes { id } totalCount } }',
        { state },
      )
    ).actors
  assert.deepEqual(await listed('ADMITTED'), { nodes: [{ id: waiting.id }], totalCount: 1 })
  assert.deepEqual(await listed('QUEUED'), { nodes: [], totalCount: 0 })
  await mutate(stage.ask, 'cancelRun', { runId: waiting.id }, 'run { id }')
  await untilRun(stage.ask, waiting.id, ['CANCELED'])
  assert.equal((await stuckOnes()).totalCount, 0, 'a run that has ended is not stuck any more')
})

test('no answer of the server has a token, a password, or a hash of one of them', async () => {
  const agentCredential = (await readFile(join(machine.stateDir, 'credential'), 'utf8')).trim()
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  const secrets = [stage.key, bare.credential, agentCredential, ada.password]
  const all = stage.answers.join('\n')
  for (const secret of secrets)
    for (const [what, value] of [
      ['value', secret],
      ['SHA-256', sha256(secret)],
    ] as const)
      assert.ok(!all.includes(value), `an answer has the ${what} of ${secret.slice(0, 8)}…`)
  for (const pattern of [/\$argon2/, /agent_[\w-]{20}/, /svc_[\w-]{20}/, /session_[\w-]{20}/])
    assert.doesNotMatch(all, pattern)
  const enrolled = all.match(/enroll_[\w-]{20,}/g) ?? []
  assert.equal(enrolled.length, new Set(enrolled).size, 'a one-time token is only in the answer that created it')
  for (const token of enrolled) assert.ok(!all.includes(sha256(token)))
})
