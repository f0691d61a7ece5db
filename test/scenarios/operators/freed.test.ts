/** What stands still, for each of the three reasons, is found, explained, looked at in advance, and freed by an operator. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { connect, type Sql, textArray } from '../../../storage/sql/sql.ts'
import { type BareAgent, reportWorktree, startBareAgent } from '../../kit/program/bareAgent.ts'
import { rpc } from '../../kit/program/mcp.ts'
import { lookAt, mutate, startRun, untilOffered, untilRun } from '../../kit/program/runs.ts'
import { refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'
import { embeddedServer } from '../../kit/runtime/postgres/embeddedServer.ts'

let stage: TestProgram
let agent: BareAgent
let sql: Sql
let worktrees: Record<string, string>

before(async () => {
  stage = await startTestProgram()
  agent = await startBareAgent(stage, 'bare')
  worktrees = await reportWorktree(stage, agent, '/srv/bare', ['main', 'second', 'third', 'fourth'])
  sql = connect(await embeddedServer(stage.dataDir), { name: 'test', max: 1 })
})
after(async () => {
  await sql?.end()
  await stage?.end()
})

interface Preview {
  readonly id: string
  readonly sequence: number
  readonly outcome: string
  readonly problem: { readonly code: string; readonly message: string } | null
  readonly statusBefore: string
  readonly statusAfter: string
  readonly terminal: boolean
  readonly tells: readonly { readonly kind: string; readonly event: string; readonly outcome: string }[]
  readonly queues: readonly {
    readonly before: { readonly slotsHeld: number }
    readonly after: { readonly slotsHeld: number }
    readonly admits: readonly string[]
  }[]
}
interface Act {
  readonly act: string
  readonly label: string
  readonly event: string | null
  readonly state: string | null
  readonly effectId: string | null
  readonly preview: Preview | null
}

const previewed = `id sequence outcome problem { code message } statusBefore statusAfter terminal
  tells { kind event outcome } queues { before { slotsHeld } after { slotsHeld } admits }`

/** Asked for over and over: as few as there are worktrees, since points count what could come. */
async function stuck(kind: string) {
  const { stuckActors } = await stage.ask<{
    stuckActors: {
      nodes: {
        cause: string
        actor: { id: string; sequence: number }
        waitsFor: string[]
        effects: { id: string; type: string; problem: string }[]
      }[]
    }
  }>(
    'query ($kind: ActorKind!) { stuckActors(kind: $kind, first: 4) { nodes { cause waitsFor actor { id sequence } effects { id type problem } } } }',
    { kind },
  )
  return stuckActors.nodes
}

async function actsOn(id: string) {
  const { operatorActions } = await stage.ask<{ operatorActions: { refusal: string | null; acts: Act[] } }>(
    `query ($id: ID!) { operatorActions(id: $id) { refusal acts { act label event state effectId preview { ${previewed} } } } }`,
    { id },
  )
  return operatorActions
}

const operate = (input: Record<string, unknown>) =>
  mutate<{ actor: { id: string; status: string; sequence: number } }>(
    stage.ask,
    'performOperatorAction',
    { reason: 'it stands still', ...input },
    'actor { id status sequence }',
  )

async function lastStep(id: string) {
  const { actorHistory } = await stage.ask<{
    actorHistory: { nodes: { event: string; cause: Record<string, unknown>; principal: string; status: string }[] }
  }>(
    'query ($id: ID!) { actorHistory(id: $id, last: 1) { nodes { event cause { type id reason } principal status } } }',
    { id },
  )
  return actorHistory.nodes[0]
}

/** A run of which the agent has the job. */
async function offered(branch: string) {
  const run = await startRun(stage.ask, { worktreeId: worktrees[branch], command: 'true' })
  const jobId = run.id.replace('run_', 'job_')
  const offer = await agent.offers.first('the offer', (one) => one.jobId === jobId && one.signal === 'OFFER')
  await untilOffered(stage.ask, run.id)
  return { run, jobId, job: { jobId, attempt: offer.attempt } }
}

test('an effect that has failed: the cause is mended, and it is tried again', async () => {
  const { run, jobId, job } = await offered('main')
  await agent.say('acceptJob', job, 'runToken')
  // What a full disk or a defect would do: the end of a log can't be written.
  await sql`create function no_end() returns trigger language plpgsql as $$ begin raise exception 'no room for the end'; end $$`
  await sql`create trigger no_end before insert on stream_entry for each row when (new.kind = 'END') execute function no_end()`
  const logSha256 = createHash('sha256').digest('hex')
  await agent.say('completeJob', { ...job, outcome: 'SUCCEEDED', processesLeft: 0, logChunks: 0, logSha256 })
  await untilRun(stage.ask, run.id, ['SUCCEEDED'])
  // All but the last of its eight attempts in one go, so that nobody waits half a minute.
  await until('the first attempt to fail', async () => {
    const spent =
      await sql`update outbox set attempts = 7 where actor = ${jobId} and type = 'endStream' and attempts between 1 and 6 and claimed_by is null`
    return spent.count > 0 ? true : undefined
  })
  const found = await until('the job to be found', async () =>
    (await stuck('JOB')).find(({ actor }) => actor.id === jobId),
  )
  assert.equal(found.cause, 'EFFECT_FAILED')
  assert.deepEqual(
    found.effects.map(({ type, problem }) => [type, problem]),
    [['endStream', 'no room for the end']],
  )

  const { refusal: why, acts } = await actsOn(jobId)
  assert.match(why ?? '', /SUCCEEDED/)
  assert.deepEqual(
    acts.map(({ act, label, preview }) => [act, label, preview?.outcome, preview?.statusAfter]),
    [
      ['RETRY_EFFECT', 'Try again: endStream', 'STEP', 'SUCCEEDED'],
      ['GIVE_UP_EFFECT', 'Give up: endStream', 'STEP', 'SUCCEEDED'],
    ],
  )
  await sql`drop trigger no_end on stream_entry`
  const [retry] = acts
  const act = { id: jobId, act: 'RETRY_EFFECT', effectId: retry?.effectId }
  await operate({ ...act, expectedSequence: retry?.preview?.sequence, reason: 'the disk has room again' })
  await until('nothing to be stuck', async () => ((await stuck('JOB')).length === 0 ? true : undefined))
  const step = await lastStep(jobId)
  assert.deepEqual(
    [step?.event, step?.status, step?.cause.type, step?.cause.reason],
    ['effectRecovered', 'SUCCEEDED', 'OPERATOR', 'the disk has room again'],
  )
  assert.match(step?.principal ?? '', /^key_/)
  await until('the log to end', async () => {
    const [stream] = await sql`select ended from stream where name like ${`%${jobId}%`}`
    return stream?.ended === true ? true : undefined
  })
  const again = await refusal(operate({ ...act, expectedSequence: (retry?.preview?.sequence ?? 0) + 1 }))
  assert.equal(again.code, 'FAILED_PRECONDITION', again.message)
})

test('past its time: an event that the chart takes now, with what comes of it for the queue', async () => {
  const { run } = await offered('second')
  await sql`update actor set stuck_at = ${Date.now() - 60_000} where id = ${run.id}`
  const found = (await stuck('RUN')).find(({ actor }) => actor.id === run.id)
  assert.deepEqual([found?.cause, found?.waitsFor], ['OVERDUE', ['its agent to accept the job']])

  const { refusal: why, acts } = await actsOn(run.id)
  assert.equal(why, null)
  const terminate = acts.find(({ event }) => event === 'terminate')?.preview
  assert.deepEqual(
    [terminate?.outcome, terminate?.statusBefore, terminate?.statusAfter, terminate?.terminal],
    ['STEP', 'ADMITTED', 'CANCELED', true],
  )
  assert.deepEqual(
    terminate?.tells.map(({ kind, event, outcome }) => [kind, event, outcome]).filter(([kind]) => kind !== 'SESSION'),
    [
      ['JOB', 'cancel', 'STEP'],
      ['WORKTREE_QUEUE', 'ended', 'STEP'],
    ],
  )
  const act = { id: run.id, act: 'SEND_EVENT', event: 'terminate' }
  const stale = await refusal(operate({ ...act, expectedSequence: (terminate?.sequence ?? 0) - 1 }))
  assert.equal(stale.code, 'CONFLICT', stale.message)
  const { actor } = await operate({ ...act, expectedSequence: terminate?.sequence })
  assert.deepEqual([actor.status, actor.sequence], ['CANCELED', (terminate?.sequence ?? 0) + 1])
  assert.equal((await stuck('RUN')).length, 0)
})

test('nothing moves it: many are moved to a state at once, each by itself', async () => {
  const [left, gone] = [await offered('third'), await offered('fourth')]
  await sql`update actor set unwatched = true where id = any(${textArray([left.run.id, gone.run.id])}::text[])`
  const found = await stuck('RUN')
  assert.deepEqual(
    found.map(({ actor, cause }) => [actor.id, cause]),
    [
      [left.run.id, 'UNWATCHED'],
      [gone.run.id, 'UNWATCHED'],
    ].sort(),
  )
  const { previewOperatorAction } = await stage.ask<{ previewOperatorAction: Preview[] }>(
    `query ($actors: [OperatorActionTarget!]!) {
      previewOperatorAction(actors: $actors, act: MOVE, state: "FAILED") { ${previewed} }
    }`,
    { actors: found.map(({ actor }) => ({ id: actor.id })) },
  )
  assert.deepEqual(
    previewOperatorAction.map(({ outcome, statusAfter }) => [outcome, statusAfter]),
    [
      ['STEP', 'FAILED'],
      ['STEP', 'FAILED'],
    ],
  )
  // One of them has moved on by itself.
  await mutate(stage.ask, 'cancelRun', { runId: gone.run.id }, 'run { id }')
  const actors = previewOperatorAction.map(({ id, sequence }) => ({ id, expectedSequence: sequence }))
  const { results } = await mutate<{ results: { id: string; done: boolean; code: string | null }[] }>(
    stage.ask,
    'performOperatorActions',
    { actors, act: 'MOVE', state: 'FAILED', reason: 'nobody will' },
    'results { id done code }',
  )
  assert.deepEqual(
    results.map(({ id, done, code }) => [id, done, code]),
    found.map(({ actor: { id } }) => (id === left.run.id ? [id, true, null] : [id, false, 'CONFLICT'])),
  )
  const forced = await lookAt(stage.ask, left.run.id)
  assert.deepEqual(
    [forced.status, forced.problem],
    ['FAILED', { code: 'FORCED_BY_OPERATOR', message: 'An operator set the run to FAILED.' }],
  )
  const { actorHistory } = await stage.ask<{
    actorHistory: { nodes: { cause: { type: string; reason: string | null } }[] }
  }>('query ($id: ID!) { actorHistory(id: $id, last: 5) { nodes { cause { reason } } } }', { id: left.run.id })
  assert.ok(
    actorHistory.nodes.some(({ cause }) => cause.reason === 'nobody will'),
    'the reason is in the history',
  )
  await until('its job to be stopped', async () => {
    const { actor } = await stage.ask<{ actor: { status: string } }>('query ($id: ID!) { actor(id: $id) { status } }', {
      id: left.jobId,
    })
    return actor.status === 'CANCELED' ? true : undefined
  })
})

test('what takes no act says so: identity kinds, terminal actors, a state that is not the actor’s alone', async () => {
  const users = await stage.ask<{ actors: { nodes: { id: string; sequence: number }[] } }>(
    '{ actors(kind: USER) { nodes { id sequence } } }',
  )
  const user = users.actors.nodes[0]
  assert.ok(user)
  const move = { act: 'MOVE', state: 'DISABLED' }
  assert.deepEqual((await actsOn(user.id)).acts, [])
  const identity = await refusal(operate({ id: user.id, expectedSequence: user.sequence, ...move }))
  assert.deepEqual([identity.code, identity.message], ['FAILED_PRECONDITION', 'A user takes no acts of operators.'])

  /** An agent takes steps by itself; that one came in between is no answer here. */
  const refusedOf = (act: Record<string, unknown>) =>
    until('the agent to stand still for a moment', async () => {
      const { actor } = await stage.ask<{ actor: { sequence: number } }>(
        'query ($id: ID!) { actor(id: $id) { sequence } }',
        { id: agent.agentId },
      )
      const refused = await refusal(operate({ id: agent.agentId, expectedSequence: actor.sequence, ...act }))
      return refused.code === 'CONFLICT' ? undefined : refused
    })
  const revoked = await refusedOf({ act: 'MOVE', state: 'REVOKED' })
  assert.deepEqual([revoked.code, revoked.details.field], ['BAD_USER_INPUT', 'state'])
  const foreign = await refusedOf({ act: 'RETRY_EFFECT', effectId: `run_${'0'.repeat(26)}:1:0` })
  assert.deepEqual([foreign.code, foreign.details.field], ['BAD_USER_INPUT', 'effectId'])
  const missing = await refusedOf({ act: 'SEND_EVENT' })
  assert.deepEqual([missing.code, missing.details.field], ['BAD_USER_INPUT', 'event'])
  for (const event of ['constructor', 'toString', '__proto__', 'nothing']) {
    const strange = await refusedOf({ act: 'SEND_EVENT', event })
    assert.deepEqual([strange.code, strange.details.field], ['BAD_USER_INPUT', 'event'], event)
  }
  const carrying = await refusedOf({ act: 'SEND_EVENT', event: 'drain', payload: { constructor: 1 } })
  assert.deepEqual([carrying.code, carrying.details.field], ['BAD_USER_INPUT', 'payload.constructor'])
  const silent = await refusedOf({ act: 'SEND_EVENT', event: 'drain', reason: '' })
  assert.equal(silent.code, 'BAD_USER_INPUT')
  const unknown = await refusal(
    operate({ id: `run_${'0'.repeat(26)}`, expectedSequence: 1, act: 'MOVE', state: 'FAILED' }),
  )
  assert.equal(unknown.code, 'NOT_FOUND')
})

test('an AI client does the same by tools', async () => {
  const { run } = await offered('second')
  const call = async (name: string, args: Record<string, unknown>) => {
    const { body } = await rpc(stage, 'tools/call', { name, arguments: args }, { headers: { 'x-api-key': stage.key } })
    return body?.result
  }
  const menu = await call('get_operator_actions', { id: run.id })
  const cancel = menu.structuredContent.acts.find(({ event }: Act) => event === 'terminate')
  assert.equal(cancel.preview.statusAfter, 'CANCELED')
  const act = { id: run.id, act: 'SEND_EVENT', event: 'terminate', reason: 'a model has looked' }
  const stale = await call('perform_operator_action', { ...act, expectedSequence: cancel.preview.sequence + 5 })
  assert.equal(stale.isError, true)
  assert.match(stale.content[0].text, /moved on/)
  const done = await call('perform_operator_action', { ...act, expectedSequence: cancel.preview.sequence })
  assert.equal(done.structuredContent.actor.status, 'CANCELED')
})
