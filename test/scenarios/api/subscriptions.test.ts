/** Followers: what is stored comes first, then what is live, without a gap or a repeat, over broken connections too. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Client } from 'graphql-ws'
import postgres from 'postgres'
import { toCursor } from '../../../spec/core/connections.ts'
import { cursorOf } from '../../../spec/core/historyPosition.ts'
import { USERNAME } from '../../../storage/embedded/initialize.ts'
import { PORT } from '../../../storage/embedded/socketFolder.ts'
import { type Machine, startMachine } from '../../kit/program/machine.ts'
import { mutate, type RunView, startRun, untilRun } from '../../kit/program/runs.ts'
import { codeOf, connect, type Subscription, subscribe, watch } from '../../kit/program/socket.ts'
import { gate, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'

let stage: TestProgram
let machine: Machine

before(async () => {
  stage = await startTestProgram()
  machine = await startMachine(stage, { branches: ['log', 'run', 'steps', 'kind'] })
})
after(() => stage?.end())

interface Chunk {
  readonly sequence: number
  readonly stream: string
  readonly dataBase64: string
}
const followLog = (jobId: string | null, afterSequence?: number) =>
  watch<Chunk>(
    stage,
    'subscription ($jobId: ID!, $afterSequence: Int) { jobLogChunkAdded(jobId: $jobId, afterSequence: $afterSequence) { sequence stream dataBase64 } }',
    { jobId, ...(afterSequence === undefined ? {} : { afterSequence }) },
  )
const sequencesOf = (items: readonly { readonly sequence: number }[]) => items.map(({ sequence }) => sequence)
const textOf = (items: readonly Chunk[]) =>
  items
    .filter(({ stream }) => stream === 'STDOUT')
    .map(({ dataBase64 }) => Buffer.from(dataBase64, 'base64').toString())
    .join('')

test('a log can be followed from its beginning, from its middle, and after its end', async () => {
  const command = 'for i in 1 2 3 4 5 6; do echo "line $i"; sleep 0.3; done'
  const { id } = await startRun(stage.ask, { worktreeId: machine.worktree('log'), command })
  const { jobId } = await untilRun(stage.ask, id, ['RUNNING', 'SUCCEEDED'])
  const whole = followLog(jobId)
  const begun = await whole.first('the first line', ({ stream }) => stream === 'STDOUT')
  const rest = followLog(jobId, begun.sequence)
  assert.equal(await whole.over(), 'complete')
  assert.equal(await rest.over(), 'complete')
  assert.equal(textOf(whole.items), [1, 2, 3, 4, 5, 6].map((line) => `line ${line}\n`).join(''))
  assert.deepEqual(
    sequencesOf(whole.items),
    whole.items.map((_, index) => index),
  )
  assert.deepEqual(
    rest.items,
    whole.items.slice(begun.sequence + 1),
    'from the middle: the same, less what came before',
  )
  const end = whole.items.at(-1)
  const said = JSON.parse(Buffer.from(end?.dataBase64 ?? '', 'base64').toString()) as { chunks: number; sha256: string }
  const hash = createHash('sha256')
  for (const { dataBase64 } of whole.items.slice(0, -1)) hash.update(Buffer.from(dataBase64, 'base64'))
  assert.deepEqual([end?.stream, said.chunks, said.sha256], ['END', whole.items.length - 1, hash.digest('hex')])
  const afterwards = followLog(jobId)
  assert.equal(await afterwards.over(), 'complete')
  assert.deepEqual(afterwards.items, whole.items, 'after the end it reads the same')
  const nothing = followLog(jobId, end?.sequence)
  assert.equal(await nothing.over(), 'complete')
  assert.deepEqual(nothing.items, [])
  const beyond = followLog(jobId, (end?.sequence ?? 0) + 1_000)
  assert.equal(await beyond.over(), 'complete')
  assert.deepEqual(beyond.items, [end], 'beyond the end comes the end')
  // The log ends before its run does.
  await untilRun(stage.ask, id, ['SUCCEEDED'])
  const ended = watch<{ status: string }>(
    stage,
    'subscription ($id: ID!) { runStatusChanged(runId: $id) { status } }',
    { id },
  )
  assert.equal(await ended.over(), 'complete')
  assert.deepEqual(ended.items, [{ status: 'SUCCEEDED' }], 'an ended run is sent once')
  for (const one of [whole, rest, afterwards, nothing, beyond, ended]) await one.stop()
})

test('runStatusChanged sends a run as it is and then its changes in order, for one run, a worktree or all runs', async () => {
  const worktreeId = machine.worktree('run')
  const going = gate(stage)
  const client = connect(stage.url, { 'X-API-Key': stage.key }, { lazyCloseTimeout: 0 })
  const fields = '{ id status }'
  const ofWorktree = subscribe<RunView>(
    client,
    `subscription ($worktreeId: ID) { runStatusChanged(worktreeId: $worktreeId) ${fields} }`,
    { worktreeId },
  )
  const all = subscribe<RunView>(client, `subscription { runStatusChanged ${fields} }`, {})
  const elsewhere = subscribe<RunView>(
    client,
    `subscription ($worktreeId: ID) { runStatusChanged(worktreeId: $worktreeId) ${fields} }`,
    { worktreeId: machine.worktree('log') },
  )
  const hello = await startRun(stage.ask, { worktreeId: machine.worktree('kind'), command: 'true' })
  await all.first('the subscription to be there', ({ id }) => id === hello.id)
  await untilRun(stage.ask, hello.id, ['SUCCEEDED'])
  const { id } = await startRun(stage.ask, { worktreeId, command: going.command })
  await going.untilBegun()
  const own = subscribe<RunView>(client, `subscription ($runId: ID) { runStatusChanged(runId: $runId) ${fields} }`, {
    runId: id,
  })
  await own.first('the run as it is', () => true)
  await going.open()
  for (const one of [own, ofWorktree, all])
    await one.first('its end', (run) => run.id === id && run.status === 'SUCCEEDED')
  const order = ['QUEUED', 'ADMITTED', 'STARTING', 'RUNNING', 'SUCCEEDED']
  for (const one of [ofWorktree, all]) {
    const seen = one.items.filter((run) => run.id === id).map(({ status }) => status)
    const steps = seen.map((status) => order.indexOf(status))
    assert.ok(!steps.includes(-1), seen.join())
    assert.deepEqual(steps, [...steps].sort(), `never backwards: ${seen.join()}`)
  }
  assert.deepEqual(elsewhere.items, [])
  await client.dispose()
})

interface Step {
  readonly actorId: string
  readonly sequence: number
  readonly event: string
  readonly status: string
}
const stepsOf = (variables: Readonly<Record<string, unknown>>): Subscription<Step> =>
  watch<Step>(
    stage,
    'subscription ($id: ID!, $afterSequence: Int) { actorTransitioned(of: { actor: { id: $id, afterSequence: $afterSequence } }) { actorId sequence event status } }',
    variables,
  )

test('after a broken connection the transitions of an actor continue after the last sequence, without a gap or a repeat', async () => {
  const going = gate(stage)
  const { id } = await startRun(stage.ask, { worktreeId: machine.worktree('steps'), command: going.command })
  const seen: Step[] = []
  for (let connection = 0; connection < 3; connection += 1) {
    const last = seen.at(-1)?.sequence ?? 0
    const steps = stepsOf({ id, afterSequence: last })
    await steps.first('another transition', () => true)
    if (connection === 1) await going.open()
    if (connection === 1) await untilRun(stage.ask, id, ['SUCCEEDED'])
    if (connection === 2) await steps.first('the last transition', ({ status }) => status === 'SUCCEEDED')
    // The connection breaks without a close frame.
    await steps.stop()
    seen.push(...(connection === 2 ? steps.items : steps.items.slice(0, 1)))
  }
  const { actorHistory } = await stage.ask<{ actorHistory: { nodes: Step[] } }>(
    'query ($id: ID!) { actorHistory(id: $id, first: 100) { nodes { actorId sequence event status } } }',
    { id },
  )
  assert.deepEqual(seen, actorHistory.nodes, 'what was followed is the history, without a gap or a repeat')
})

interface KindStep extends Step {
  readonly cursor: string
}
const kindSteps = (client: Client, after?: string): Subscription<KindStep> =>
  subscribe<KindStep>(
    client,
    'subscription ($after: String) { actorTransitioned(of: { kind: { kind: RUN, after: $after } }) { actorId sequence event status cursor } }',
    after === undefined ? {} : { after },
  )

test('the new transitions of a kind are sent, and continue after the last cursor when a connection has broken', async () => {
  const newClient = (): Client => connect(stage.url, { 'X-API-Key': stage.key }, { lazyCloseTimeout: 0 })
  const [broken, whole] = [newClient(), newClient()]
  const live = kindSteps(broken)
  const first = await startRun(stage.ask, { worktreeId: machine.worktree('kind'), command: 'true' })
  await untilRun(stage.ask, first.id, ['SUCCEEDED'])
  const second = await startRun(stage.ask, { worktreeId: machine.worktree('kind'), command: 'true' })
  await live.first('the end of the second run', ({ actorId, status }) => isEnd(actorId, status, second.id))
  // The connection breaks, and no subscription follows while a run continues.
  broken.terminate()
  const whileAway = await startRun(stage.ask, { worktreeId: machine.worktree('kind'), command: 'true' })
  await untilRun(stage.ask, whileAway.id, ['SUCCEEDED'])
  const resumed = kindSteps(whole, live.items.at(-1)?.cursor)
  await resumed.first('the end of what was missed', ({ actorId, status }) => isEnd(actorId, status, whileAway.id))
  const later = await startRun(stage.ask, { worktreeId: machine.worktree('kind'), command: 'true' })
  await resumed.first('the end of what is new', ({ actorId, status }) => isEnd(actorId, status, later.id))

  const seen = [...live.items, ...resumed.items]
  for (const { id } of [second, whileAway, later]) {
    const own = seen.filter(({ actorId }) => actorId === id)
    assert.deepEqual(
      sequencesOf(own),
      own.map((_, index) => index + 1),
    )
  }
  assert.equal(new Set(seen.map(({ cursor }) => cursor)).size, seen.length)
  // From anywhere in between: the same, less what came before.
  const middle = Math.floor(seen.length / 2)
  const again = kindSteps(whole, seen[middle]?.cursor)
  await again.first('the last of them', ({ cursor }) => cursor === seen.at(-1)?.cursor)
  assert.deepEqual(again.items.slice(0, seen.length - middle - 1), seen.slice(middle + 1))
  for (const client of [broken, whole]) await client.dispose()
})

const isEnd = (actorId: string, status: string, id: string): boolean => actorId === id && status === 'SUCCEEDED'

test('a subscription to an unknown object or with an unusable position is refused with a code', async () => {
  const unknown = '0'.repeat(26)
  const actor = `run_${unknown}`
  // A cursor of another server that is far ahead, a cursor of a list, and a cursor before the oldest stored transition.
  const aCursor = cursorOf({ tx: 999_999_999, actor })
  const aListsCursor = toCursor(actor)
  const anOldCursor = cursorOf({ tx: 0, actor })
  for (const [query, code, field] of [
    [`runStatusChanged(runId: "run_${unknown}") { id }`, 'NOT_FOUND'],
    [`runStatusChanged(worktreeId: "wt_${unknown}") { id }`, 'NOT_FOUND'],
    [`agentStatusChanged(agentId: "agt_${unknown}") { id }`, 'NOT_FOUND'],
    [`jobLogChunkAdded(jobId: "job_${unknown}") { sequence }`, 'NOT_FOUND'],
    [`runEventAdded(runId: "run_${unknown}") { sequence }`, 'NOT_FOUND'],
    [`worktreeRunQueueChanged(worktreeId: "wt_${unknown}") { worktreeQueue { id } }`, 'NOT_FOUND'],
    [`actorTransitioned(of: { actor: { id: "run_${unknown}" } }) { sequence }`, 'NOT_FOUND'],
    [`actorTransitioned(of: { actor: { id: "nonsense" } }) { sequence }`, 'BAD_USER_INPUT'],
    ['actorTransitioned(of: {}) { sequence }', 'GRAPHQL_VALIDATION_FAILED'],
    ['actorTransitioned(of: { kind: { kind: RUN }, actor: { id: "x" } }) { sequence }', 'GRAPHQL_VALIDATION_FAILED'],
    ['actorTransitioned(of: { kind: { kind: RUN, afterSequence: 1 } }) { sequence }', 'GRAPHQL_VALIDATION_FAILED'],
    [
      'actorTransitioned(of: { kind: { kind: RUN, after: "nonsense" } }) { sequence }',
      'BAD_USER_INPUT',
      'of.kind.after',
    ],
    [
      `actorTransitioned(of: { kind: { kind: RUN, after: "${aListsCursor}" } }) { sequence }`,
      'BAD_USER_INPUT',
      'of.kind.after',
    ],
    [`actorTransitioned(of: { kind: { kind: RUN, after: "${aCursor}" } }) { sequence }`, 'HISTORY_GONE'],
    [`actorTransitioned(of: { kind: { kind: RUN, after: "${anOldCursor}" } }) { sequence }`, 'HISTORY_GONE'],
    [`runStatusChanged(runId: "wt_${unknown}") { id }`, 'BAD_USER_INPUT'],
    [`runEventAdded(runId: "run_${unknown}", afterSequence: -2) { sequence }`, 'BAD_USER_INPUT'],
    ['agentJobOffered(epoch: 1) { jobId }', 'FORBIDDEN'],
  ] as const) {
    const refused = watch(stage, `subscription { ${query} }`)
    const errors = await refused.over()
    assert.equal(codeOf(errors), code, query)
    const [first] = errors as { extensions: { details?: { field?: string } } }[]
    if (field !== undefined) assert.equal(first?.extensions.details?.field, field, query)
    await refused.stop()
  }
})

test('a purged part of a log is refused with HISTORY_GONE, and the rest can still be followed', async () => {
  const { id } = await startRun(stage.ask, {
    worktreeId: machine.worktree('log'),
    command: 'echo one; sleep 0.3; echo two',
  })
  const { jobId } = await untilRun(stage.ask, id, ['SUCCEEDED'])
  const whole = followLog(jobId)
  await whole.over()
  const rest = whole.items.slice(2)
  // The state of a stream after its retention.
  const host = join(stage.dataDir, 'postgres')
  const sql = postgres({ host, port: PORT, database: 'signalbox', username: USERNAME, max: 1 })
  await sql`delete from stream_entry where stream = ${`log/${jobId}/1`} and sequence < 2`
  await sql`update stream set first = 2 where name = ${`log/${jobId}/1`}`
  await sql.end()
  const gone = followLog(jobId, 0)
  assert.equal(codeOf(await gone.over()), 'HISTORY_GONE')
  assert.deepEqual((gone.ending() as { extensions: { details: unknown } }[])[0]?.extensions.details, { first: 2 })
  const beginning = followLog(jobId)
  const next = followLog(jobId, 1)
  for (const one of [beginning, next]) {
    assert.equal(await one.over(), 'complete')
    assert.deepEqual(one.items, rest)
  }
  for (const one of [whole, gone, beginning, next]) await one.stop()
})

test('a subscriber sees an agent disconnect and connect again', async () => {
  const agents = watch<{ connectionStatus: string; epoch: number }>(
    stage,
    'subscription ($agentId: ID) { agentStatusChanged(agentId: $agentId) { connectionStatus epoch } }',
    { agentId: machine.agentId },
  )
  const before = await agents.first('the agent as it is', ({ connectionStatus }) => connectionStatus === 'CONNECTED')
  await machine.stop()
  await agents.first('the status DISCONNECTED', ({ connectionStatus }) => connectionStatus === 'DISCONNECTED')
  await machine.start()
  await agents.first(
    'the status CONNECTED with a new epoch',
    ({ connectionStatus, epoch }) => connectionStatus === 'CONNECTED' && epoch > before.epoch,
  )
  await agents.stop()
  await mutate(stage.ask, 'drainAgent', { agentId: machine.agentId, drain: false }, 'agent { id }')
})
