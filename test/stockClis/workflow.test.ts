/**
 * The whole work of a team with a stock CLI: a workflow with every kind of step is drafted, published and run to its end, and restarted from
 * a failed step. Once over GraphQL, and once with the MCP tools alone.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { commandStep } from '../kit/program/commandStep.ts'
import { type Machine, startMachine } from '../kit/program/machine.ts'
import { rpc } from '../kit/program/mcp.ts'
import { makeWorkflow, mutate, type RunView, runFields, untilRun } from '../kit/program/runs.ts'
import { startTestProgram, type TestProgram } from '../kit/program/testProgram.ts'
import { until } from '../kit/program/until.ts'
import { qwen as cli } from './clis.ts'
import { type ModelServer, startModelServer } from './model/modelServer.ts'
import { type ModelReply, replyFromScript } from './model/turns.ts'

const withinMs = 60_000

let stage: TestProgram
let machine: Machine
let server: ModelServer
let replies: ModelReply[] = []

before(async () => {
  stage = await startTestProgram()
  server = await startModelServer(replyFromScript(() => replies.shift()))
  const { file, args, env } = cli.prepare(server.url, join(stage.folder, 'home'))
  const settings = Object.entries(env).map(([name, value]) => `${name}='${value}'`)
  const command = ['exec', 'env', ...settings, file, ...args].join(' ')
  machine = await startMachine(stage, { branches: ['graphql', 'tools'], clis: [`${cli.name}=acp:${command}`] })
})
after(async () => {
  await stage?.end()
  await server?.close()
})

interface StepView {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly childRunId: string | null
}

async function stepsOf(runId: string): Promise<readonly StepView[]> {
  const { run } = await stage.ask<{ run: { steps: readonly StepView[] } }>(
    'query ($id: ID!) { run(id: $id) { ... on WorkflowRun { steps { id name status childRunId } } } }',
    { id: runId },
  )
  return run.steps
}

const statusesOf = async (runId: string) => (await stepsOf(runId)).map(({ name, status }) => [name, status])

/** Plans, writes a file, calls another workflow, asks a person, and deploys what the CLI has written. */
const definition = (innerId: string, file: string) => ({
  name: 'ship',
  inputs: [{ name: 'word', type: 'TEXT', required: true }],
  steps: [
    { name: 'plan', action: { ai: { kind: 'PLAN', cli: cli.name, prompt: 'Plan how to write {{inputs.word}}.' } } },
    {
      name: 'write',
      action: {
        ai: {
          kind: 'SESSION',
          cli: cli.name,
          permissionPolicy: 'ALLOW_EDITS',
          prompt: 'Write {{inputs.word}}. The plan: {{steps.plan.text}}',
        },
      },
    },
    { name: 'check', action: { workflow: { workflowId: innerId, inputs: [{ name: 'file', value: file }] } } },
    { name: 'approve', action: { approval: { message: 'Ship {{steps.check.content}}? {{steps.write.text}}' } } },
    commandStep('ship', 'test -e allowed && cp a.txt shipped.txt'),
  ],
})

const inner = {
  name: 'check',
  inputs: [{ name: 'file', type: 'TEXT', required: true }],
  steps: [commandStep('read', 'echo "content=$(cat "$INPUT_FILE")" >> "$SIGNALBOX_OUTPUT"')],
  outputs: [{ name: 'content', value: '{{steps.read.content}}' }],
}

/** The replies of the model: a plan, then an edit and its report. */
function script(file: string): void {
  replies = [
    ...cli.presentPlan('# Plan\n1. Write the word.').map((call) => ({ toolCalls: [call] })),
    { toolCalls: [cli.writeFile(file, 'zebra\n')] },
    { text: ['I wrote it.'] },
  ]
}

const untilWaiting = (runId: string) =>
  until(
    'the approval to wait',
    async () =>
      (await stepsOf(runId)).find(({ name, status }) => name === 'approve' && status === 'WAITING_FOR_APPROVAL'),
    withinMs,
  )

test('a workflow with every kind of step runs to its end, and is restarted from its failed step', async () => {
  const file = join(machine.path('graphql'), 'a.txt')
  script(file)
  const innerId = await makeWorkflow(stage.ask, inner)
  const workflowId = await makeWorkflow(stage.ask, definition(innerId, 'a.txt'))
  const { run } = await mutate<{ run: RunView }>(
    stage.ask,
    'startWorkflow',
    { workflowId, worktreeId: machine.worktree('graphql'), inputs: { word: 'zebra' } },
    `run { ${runFields} }`,
  )
  const waiting = await untilWaiting(run.id)
  const { workflowStep } = await stage.ask<{ workflowStep: { message: string } }>(
    'query ($id: ID!) { workflowStep(id: $id) { message } }',
    { id: waiting.id },
  )
  assert.equal(workflowStep.message, 'Ship zebra? I wrote it.')
  assert.equal(readFileSync(file, 'utf8'), 'zebra\n')
  const [plan, write] = await stepsOf(run.id)
  const { nodes } = await stage.ask<{ nodes: readonly { __typename: string; parentRunId: string; status: string }[] }>(
    'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename ... on Run { parentRunId status } } }',
    { ids: [plan?.childRunId, write?.childRunId] },
  )
  assert.deepEqual(nodes, [
    { __typename: 'PlanRun', parentRunId: run.id, status: 'SUCCEEDED' },
    { __typename: 'SessionRun', parentRunId: run.id, status: 'SUCCEEDED' },
  ])
  await mutate(stage.ask, 'decideApproval', { stepId: waiting.id, decision: 'APPROVED' }, 'step { id }')
  await untilRun(stage.ask, run.id, ['FAILED'], withinMs)
  assert.deepEqual(await statusesOf(run.id), [
    ['plan', 'SUCCEEDED'],
    ['write', 'SUCCEEDED'],
    ['check', 'SUCCEEDED'],
    ['approve', 'SUCCEEDED'],
    ['ship', 'FAILED'],
  ])
  const fix = await makeWorkflow(stage.ask, { name: 'allow', steps: [commandStep('allow', 'touch allowed')] })
  const fixed = await mutate<{ run: RunView }>(
    stage.ask,
    'startWorkflow',
    { workflowId: fix, worktreeId: machine.worktree('graphql') },
    'run { id }',
  )
  await untilRun(stage.ask, fixed.run.id, ['SUCCEEDED'], withinMs)
  const requests = server.requests.length
  const restarted = await mutate<{ run: RunView }>(
    stage.ask,
    'retryRun',
    { runId: run.id, fromFailedStep: true },
    'run { id }',
  )
  await untilRun(stage.ask, restarted.run.id, ['SUCCEEDED'], withinMs)
  assert.equal(server.requests.length, requests, 'a step that has succeeded is executed again')
  assert.equal(readFileSync(join(machine.path('graphql'), 'shipped.txt'), 'utf8'), 'zebra\n')
})

test('the same with the MCP tools alone', async () => {
  const file = join(machine.path('tools'), 'a.txt')
  script(file)
  const call = async <T>(name: string, input: Readonly<Record<string, unknown>>): Promise<T> => {
    const { body } = await rpc(stage, 'tools/call', { name, arguments: input }, { headers: { 'x-api-key': stage.key } })
    assert.ok(body?.result && body.result.isError !== true, `${name}: ${JSON.stringify(body)}`)
    return body.result.structuredContent as T
  }
  interface Made {
    readonly workflow: { readonly id: string }
  }
  interface Run {
    readonly id: string
    readonly status: string
    readonly steps: readonly StepView[]
  }
  const make = async (input: object): Promise<string> => {
    const { workflow } = await call<Made>('create_workflow', { ...input })
    await call('publish_workflow', { workflowId: workflow.id })
    return workflow.id
  }
  const workflowId = await make(definition(await make(inner), 'a.txt'))
  const worktreeId = machine.worktree('tools')
  const { run } = await call<{ run: Run }>('start_workflow', { workflowId, worktreeId, inputs: { word: 'zebra' } })
  const seen = (id: string) => call<Run>('get_run', { id })
  const waiting = await until(
    'the approval to wait',
    async () => (await seen(run.id)).steps.find(({ status }) => status === 'WAITING_FOR_APPROVAL'),
    withinMs,
  )
  await call('decide_approval', { stepId: waiting.id, decision: 'APPROVED' })
  const ended = (id: string) =>
    until(
      'the run to end',
      async () => {
        const { status } = await seen(id)
        return status === 'SUCCEEDED' || status === 'FAILED' ? status : undefined
      },
      withinMs,
    )
  assert.equal(await ended(run.id), 'FAILED')
  const allow = await call<{ run: Run }>('create_agent_run', {
    worktreeId,
    kind: 'SESSION',
    task: { command: 'touch allowed' },
  })
  assert.equal(await ended(allow.run.id), 'SUCCEEDED')
  const restarted = await call<{ run: Run }>('retry_run', { runId: run.id, fromFailedStep: true })
  assert.equal(await ended(restarted.run.id), 'SUCCEEDED')
  assert.ok(existsSync(join(machine.path('tools'), 'shipped.txt')))
})
