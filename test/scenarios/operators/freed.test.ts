/** Stuck actors, for each of the three reasons, are listed and explained. An operator previews an operator action and executes it. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { connect, type Sql, textArray } from '../../../storage/sql/sql.ts'
import { type BareAgent, reportWorktree, startBareAgent } from '../../kit/program/bareAgent.ts'
import { rpc } from '../../kit/program/mcp.ts'
import {
  lastTransition,
  type PossibleAction,
  performAction,
  previewActions,
  readActor,
  readOperatorActions,
} from '../../kit/program/operatorActions.ts'
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

/** A run of which the agent has the job. */
async function offered(branch: string) {
  const run = await startRun(stage.ask, { worktreeId: worktrees[branch], command: 'true' })
  const jobId = run.id.replace('run_', 'job_')
  const offer = await agent.offers.first('the offer', (one) => one.jobId === jobId && one.signal === 'OFFER')
  await untilOffered(stage.ask, run.id)
  return { run, jobId, job: { jobId, attempt: offer.attempt } }
}

test('a failed effect whose cause is fixed succeeds when an operator retries it, and its actor is not stuck any more', async () => {
  const { run, jobId, job } = await offered('main')
  await agent.say('acceptJob', job, 'runToken')
  // It simulates a full disk or a defect: the end of a log cannot be written.
  await sql`create function no_end() returns trigger language plpgsql as $$ begin raise exception 'no room for the end'; end $$`
  await sql`create trigger no_end before insert on stream_entry for each row when (new.kind = 'END') execute function no_end()`
  const logSha256 = createHash('sha256').digest('hex')
  await agent.say('completeJob', { ...job, outcome: 'SUCCEEDED', processesLeft: 0, logChunks: 0, logSha256 })
  await untilRun(stage.ask, run.id, ['SUCCEEDED'])
  // It skips all but the last of the eight attempts, which would take half a minute.
  await until('the first attempt to fail', async () => {
    const spent =
      await sql`update outbox set attempts = 7, failures = 7 where actor = ${jobId} and type = 'endStream' and attempts between 1 and 6 and claimed_by is null`
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

  const { refusal: why, actions } = await readOperatorActions(stage.ask, jobId)
  assert.match(why ?? '', /SUCCEEDED/)
  assert.deepEqual(
    actions.map(({ type, label, preview }) => [type, label, preview?.outcome, preview?.statusAfter]),
    [
      ['RETRY_EFFECT', 'Retry effect: endStream', 'TRANSITION', 'SUCCEEDED'],
      ['GIVE_UP_EFFECT', 'Give up effect: endStream', 'TRANSITION', 'SUCCEEDED'],
    ],
  )
  await sql`drop trigger no_end on stream_entry`
  const [retry] = actions
  const target = { id: jobId, action: { retryEffect: { effectId: retry?.effectId } } }
  await performAction(stage.ask, {
    ...target,
    expectedSequence: retry?.preview?.sequence,
    reason: 'the disk has room again',
  })
  await until('nothing to be stuck', async () => ((await stuck('JOB')).length === 0 ? true : undefined))
  const step = await lastTransition(stage.ask, jobId)
  assert.deepEqual(
    [step?.event, step?.status, step?.cause.type, step?.cause.reason],
    ['effectRecovered', 'SUCCEEDED', 'OPERATOR', 'the disk has room again'],
  )
  assert.match(step?.principal ?? '', /^key_/)
  await until('the log to end', async () => {
    const [stream] = await sql`select ended from stream where name like ${`%${jobId}%`}`
    return stream?.ended === true ? true : undefined
  })
  const again = await refusal(
    performAction(stage.ask, { ...target, expectedSequence: (retry?.preview?.sequence ?? 0) + 1 }),
  )
  assert.deepEqual(
    [again.code, again.details.field],
    ['FAILED_PRECONDITION', 'action.retryEffect.effectId'],
    again.message,
  )
})

test('an overdue run is ended by an event, whose preview shows the messages to its job and its worktree queue', async () => {
  const { run } = await offered('second')
  await sql`update actor set stuck_at = ${Date.now() - 60_000} where id = ${run.id}`
  const found = (await stuck('RUN')).find(({ actor }) => actor.id === run.id)
  assert.deepEqual([found?.cause, found?.waitsFor], ['OVERDUE', ['its agent to accept the job']])

  const { refusal: why, actions } = await readOperatorActions(stage.ask, run.id)
  assert.equal(why, null)
  const terminate = actions.find(({ event }) => event === 'terminate')?.preview
  assert.deepEqual(
    [terminate?.outcome, terminate?.statusBefore, terminate?.statusAfter, terminate?.terminal],
    ['TRANSITION', 'ADMITTED', 'CANCELED', true],
  )
  assert.deepEqual(
    terminate?.tells.map(({ kind, event, outcome }) => [kind, event, outcome]).filter(([kind]) => kind !== 'SESSION'),
    [
      ['JOB', 'cancel', 'TRANSITION'],
      ['WORKTREE_QUEUE', 'ended', 'TRANSITION'],
    ],
  )
  const target = { id: run.id, action: { sendEvent: { event: 'terminate' } } }
  const stale = await refusal(performAction(stage.ask, { ...target, expectedSequence: (terminate?.sequence ?? 0) - 1 }))
  assert.equal(stale.code, 'CONFLICT', stale.message)
  const actor = await performAction(stage.ask, { ...target, expectedSequence: terminate?.sequence })
  assert.deepEqual([actor.status, actor.sequence], ['CANCELED', (terminate?.sequence ?? 0) + 1])
  assert.equal((await stuck('RUN')).length, 0)
})

test('of forced transitions on several runs that nothing advances, each one succeeds or fails by itself', async () => {
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
  const action = { forceTransition: { state: 'FAILED' } }
  const previews = await previewActions(
    stage.ask,
    found.map(({ actor }) => ({ id: actor.id, action })),
  )
  assert.deepEqual(
    previews.map(({ outcome, statusAfter }) => [outcome, statusAfter]),
    [
      ['TRANSITION', 'FAILED'],
      ['TRANSITION', 'FAILED'],
    ],
  )
  // One of them changes by itself.
  await mutate(stage.ask, 'cancelRun', { runId: gone.run.id }, 'run { id }')
  const targets = previews.map(({ id, sequence }) => ({ id, action, expectedSequence: sequence }))
  const { results } = await mutate<{ results: { id: string; done: boolean; code: string | null }[] }>(
    stage.ask,
    'performOperatorActions',
    { targets, reason: 'nobody will' },
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
    return (await readActor(stage.ask, left.jobId)).status === 'CANCELED' ? true : undefined
  })
})

async function callTool(name: string, args: Record<string, unknown>) {
  const { body } = await rpc(stage, 'tools/call', { name, arguments: args }, { headers: { 'x-api-key': stage.key } })
  return body?.result
}

test('an AI client previews and performs an operator action with tools', async () => {
  const { run } = await offered('second')
  const listed = await callTool('get_operator_actions', { id: run.id })
  const { preview } = listed.structuredContent.actions.find(({ event }: PossibleAction) => event === 'terminate')
  assert.equal(preview.statusAfter, 'CANCELED')
  const target = { id: run.id, action: { sendEvent: { event: 'terminate' } }, reason: 'a model has looked' }
  const stale = await callTool('perform_operator_action', { ...target, expectedSequence: preview.sequence + 5 })
  assert.equal(stale.isError, true)
  assert.match(stale.content[0].text, /has changed/)
  const done = await callTool('perform_operator_action', { ...target, expectedSequence: preview.sequence })
  assert.equal(done.structuredContent.actor.status, 'CANCELED')
})
