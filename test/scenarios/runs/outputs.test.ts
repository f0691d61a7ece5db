/** People read the outputs of a command that its agent reported, and an agent cannot report outputs that break a rule. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { siblingId } from '../../../spec/core/ids.ts'
import { type BareAgent, reportWorktree, startBareAgent } from '../../kit/program/bareAgent.ts'
import type { GraphqlRefusal } from '../../kit/program/graphql.ts'
import { startRun } from '../../kit/program/runs.ts'
import { startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let agent: BareAgent
let worktreeId: string | undefined
before(async () => {
  stage = await startTestProgram()
  agent = await startBareAgent(stage, 'bare')
  worktreeId = (await reportWorktree(stage, agent, '/srv/outputs')).main
})
after(() => stage?.end())

interface Result {
  readonly text: string | null
  readonly usage: unknown
  readonly outputs: readonly { readonly name: string; readonly value: string }[]
}

/** Starts a command, and completes its job with each of these results until one is accepted. */
async function complete(...results: readonly unknown[]): Promise<{ result: Result | null; refusals: unknown[] }> {
  const { id } = await startRun(stage.ask, { worktreeId, command: 'true' })
  const jobId = siblingId('job', id)
  const { attempt } = await agent.offers.first('the offer', (offer) => offer.jobId === jobId)
  await agent.say('acceptJob', { jobId, attempt }, 'runToken')
  const log = { logChunks: 0, logSha256: createHash('sha256').digest('hex'), processesLeft: 0 }
  const refusals: unknown[] = []
  for (const result of results) {
    const end = agent.say('completeJob', { jobId, attempt, outcome: 'SUCCEEDED', ...log, result })
    await end.catch((error: GraphqlRefusal) => refusals.push(Object(error.errors[0]?.extensions?.details).field))
  }
  const run = await until('the run has ended', async () => {
    const query =
      'query ($id: ID!) { run(id: $id) { endedAt result { text usage { inputTokens } outputs { name value } } } }'
    const { run } = await stage.ask<{ run: { endedAt: string | null; result: Result | null } }>(query, { id })
    return run.endedAt === null ? undefined : run
  })
  return { result: run.result, refusals }
}

test('a run of a command has its outputs in their order', async () => {
  const { result } = await complete({ outputs: { version: '1.4.0', notes: 'one\ntwo', empty: '' } })
  assert.deepEqual(result, {
    text: null,
    usage: null,
    outputs: [
      { name: 'version', value: '1.4.0' },
      { name: 'notes', value: 'one\ntwo' },
      { name: 'empty', value: '' },
    ],
  })
})

test('a run of a command without outputs has no result', async () => {
  assert.equal((await complete(null)).result, null)
})

test('outputs of 64 KiB are accepted, also if JSON needs six characters for each of their characters', async () => {
  const value = '\u0001'.repeat(16_000)
  const { result, refusals } = await complete({ outputs: { a: value, b: value, c: value, d: value } })
  assert.deepEqual(refusals, [])
  assert.equal(result?.outputs.map((output) => output.value).join(''), value.repeat(4))
})

test('outputs that break a rule are refused with the name of the field', async () => {
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`n${index}`, '']))
  const { result, refusals } = await complete(
    { outputs: { '9a': 'x' } },
    { outputs: { a: 'x'.repeat(20_001) } },
    { outputs: { a: 1 } },
    { outputs: many },
    { outputs: [] },
    { outputs: { good: 'x' } },
  )
  assert.deepEqual(refusals, [
    'result.outputs.9a',
    'result.outputs.a',
    'result.outputs.a',
    'result.outputs',
    'result.outputs',
  ])
  assert.deepEqual(result?.outputs, [{ name: 'good', value: 'x' }])
})
