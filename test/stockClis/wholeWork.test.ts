/**
 * The whole work of a team with a stock CLI, once over GraphQL and once with the MCP tools alone: a plan is made, edited and played, its
 * session is followed up twice, and a workflow with every kind of step is drafted, published, scheduled, run to its end and restarted from a
 * failed step. Only the model is scripted.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { commandStep } from '../kit/program/commandStep.ts'
import { type Machine, startMachine } from '../kit/program/machine.ts'
import { rpc } from '../kit/program/mcp.ts'
import { mutate } from '../kit/program/runs.ts'
import { startTestProgram, type TestProgram } from '../kit/program/testProgram.ts'
import { until } from '../kit/program/until.ts'
import { qwen as cli } from './clis.ts'
import { type ModelServer, startModelServer } from './model/modelServer.ts'
import { isTurn, type ModelReply, type ModelRequest, replyFromScript } from './model/turns.ts'

const withinMs = 90_000

let stage: TestProgram
let machine: Machine
let server: ModelServer
let replies: ModelReply[] = []

before(async () => {
  stage = await startTestProgram({ env: { LIMIT_GRAPHQL_POINTS_PER_5_MINUTES: '50000' } })
  server = await startModelServer(replyFromScript((request) => (isAfterPlan(request) ? stopped : replies.shift())))
  const { file, args, env } = cli.prepare(server.url, join(stage.folder, 'home'))
  const settings = Object.entries(env).map(([name, value]) => `${name}='${value}'`)
  const command = ['exec', 'env', ...settings, file, ...args].join(' ')
  machine = await startMachine(stage, {
    branches: ['plan-graphql', 'ship-graphql', 'plan-mcp', 'ship-mcp'],
    clis: [`${cli.name}=acp:${command}`],
  })
})
after(async () => {
  await stage?.end()
  await server?.close()
})

/**
 * The agent cancels the call that presents a plan, because a person reads the plan first. Whether the CLI sends one more request before it
 * has read that depends on the machine's speed, so such a request takes no reply of the script.
 */
const isAfterPlan = ({ messages }: ModelRequest): boolean => {
  const presented = messages.at(-2)?.toolCalls.some((call) => call.name === 'exit_plan_mode') ?? false
  return presented && messages.at(-1)?.role === 'USER'
}
const stopped: ModelReply = { text: ['Stopped.'] }

const lastTurn = (): string => JSON.stringify(server.requests.filter(isTurn).at(-1)?.messages)

type Input = Readonly<Record<string, unknown>>
type Answer = Readonly<Record<string, unknown>>

interface Step {
  readonly id: string
  readonly name: string
  readonly status: string
}

interface Run {
  readonly id: string
  readonly status: string
  readonly conversation: string | null
  readonly problem: { readonly message: string } | null
  readonly steps?: readonly Step[]
}

/** A surface of the product, as a script uses it. */
interface Surface {
  readonly name: 'graphql' | 'mcp'
  /** @param selection the fields of the answer that GraphQL must name */
  change(operation: string, input: Input, selection: string): Promise<Answer>
  run(id: string): Promise<Run>
  /** The runs of a workflow, newest first. */
  runsOf(workflowId: string): Promise<readonly { readonly id: string }[]>
  plan(id: string): Promise<{ readonly revision: number; readonly text: string | null }>
}

const runSelection = 'id status conversation problem { message } ... on WorkflowRun { steps { id name status } }'

const graphqlSurface: Surface = {
  name: 'graphql',
  change: (operation, input, selection) => mutate<Answer>(stage.ask, operation, input, selection),
  async run(id) {
    const { run } = await stage.ask<{ run: Run }>(`query ($id: ID!) { run(id: $id) { ${runSelection} } }`, { id })
    return run
  },
  async runsOf(workflowId) {
    const { runs } = await stage.ask<{ runs: { nodes: { id: string }[] } }>(
      'query ($id: ID!) { runs(workflowId: $id, first: 5) { nodes { id } } }',
      { id: workflowId },
    )
    return runs.nodes
  },
  async plan(id) {
    const { plan } = await stage.ask<{ plan: { revision: number; text: string | null } }>(
      'query ($id: ID!) { plan(id: $id) { revision text } }',
      { id },
    )
    return plan
  },
}

async function callTool<T>(name: string, input: Input): Promise<T> {
  const { body } = await rpc(stage, 'tools/call', { name, arguments: input }, { headers: { 'x-api-key': stage.key } })
  assert.ok(body?.result && body.result.isError !== true, `${name}: ${JSON.stringify(body)}`)
  return body.result.structuredContent as T
}

const mcpSurface: Surface = {
  name: 'mcp',
  change: (operation, input) =>
    callTool(
      operation.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      input,
    ),
  run: (id) => callTool('get_run', { id }),
  runsOf: async (workflowId) =>
    (await callTool<{ nodes: { id: string }[] }>('get_runs', { workflowId, first: 5 })).nodes,
  plan: (id) => callTool('get_plan', { id }),
}

const runIdIn = (answer: Answer): string => (answer.run as { readonly id: string }).id

for (const surface of [graphqlSurface, mcpSurface]) {
  const { name, change, run, runsOf } = surface

  const untilRun = (id: string, wanted: string) =>
    until(
      `run ${id} to be ${wanted}`,
      async () => {
        const seen = await run(id)
        if (seen.status === wanted) return seen
        assert.ok(!['SUCCEEDED', 'FAILED', 'CANCELED'].includes(seen.status), JSON.stringify(seen))
        return undefined
      },
      withinMs,
    )

  describe(name, () => {
    test('a plan is created in plan mode, edited and played, and two follow-ups of its session continue the conversation', async () => {
      const worktreeId = machine.worktree(`plan-${name}`)
      replies = cli.presentPlan('# Plan\n1. Write zebra.').map((call) => ({ toolCalls: [call] }))
      const first = { worktreeId, kind: 'PLAN', task: { prompt: 'Plan it.' }, cli: cli.name }
      const planning = await change('createAgentRun', first, 'run { id ... on PlanRun { planId } }')
      await untilRun(runIdIn(planning), 'SUCCEEDED')
      const { planId } = planning.run as { readonly planId: string }
      const made = await until('the plan', async () => {
        const seen = await surface.plan(planId)
        return seen.revision === 1 ? seen : undefined
      })
      assert.equal(made.text, '# Plan\n1. Write zebra.')
      const edit = { planId, text: '# Plan\n1. Write giraffe.', expectedRevision: 1 }
      await change('updatePlan', edit, 'plan { revision }')

      const file = join(machine.path(`plan-${name}`), 'a.txt')
      replies = [{ toolCalls: [cli.writeFile(file, 'giraffe\n')] }, { text: ['Written.'] }]
      const configuration = { permissionPolicy: 'ALLOW_EDITS' }
      const played = await change('playPlan', { planId, revision: 2, configuration, cli: cli.name }, 'run { id }')
      await untilRun(runIdIn(played), 'SUCCEEDED')
      assert.match(lastTurn(), /Write giraffe/)
      assert.equal(readFileSync(file, 'utf8'), 'giraffe\n')

      let before = runIdIn(played)
      for (const [prompt, text] of [
        ['Which animal?', 'A giraffe.'],
        ['How many?', 'One.'],
      ] as const) {
        replies = [{ text: [text] }]
        const next = await change('createRunFollowUp', { runId: before, prompt }, 'run { id }')
        const { conversation } = await untilRun(runIdIn(next), 'SUCCEEDED')
        assert.notEqual(conversation, 'NEW')
        assert.match(lastTurn(), new RegExp(`Write giraffe.*${prompt.replace('?', '\\?')}`))
        before = runIdIn(next)
      }
    })

    test('a workflow with every kind of step is scheduled, runs, and is restarted from its failed step', async () => {
      const worktreeId = machine.worktree(`ship-${name}`)
      const folder = machine.path(`ship-${name}`)
      const publish = async (definition: Input): Promise<string> => {
        const { workflow } = await change('createWorkflow', definition, 'workflow { id }')
        const { id: workflowId } = workflow as { readonly id: string }
        await change('publishWorkflow', { workflowId }, 'workflow { id }')
        return workflowId
      }
      const workflowId = await publish(shipping(await publish(checking)))
      replies = [
        ...cli.presentPlan('# Plan\n1. Write the word.').map((call) => ({ toolCalls: [call] })),
        { toolCalls: [cli.writeFile(join(folder, 'a.txt'), 'zebra\n')] },
        { text: ['I wrote it.'] },
      ]
      // Every minute: the first start comes within a minute.
      const times = { name: 'ship', cron: '* * * * *', timeZone: 'Europe/Berlin', inputs: { word: 'zebra' } }
      const { schedule } = await change('createSchedule', { workflowId, worktreeId, ...times }, 'schedule { id }')
      const { id: scheduleId } = schedule as { readonly id: string }
      const started = await until('the schedule to fire', async () => (await runsOf(workflowId))[0], withinMs)
      await change('pauseSchedule', { scheduleId }, 'schedule { status }')

      const waiting = await until(
        'the approval to wait',
        async () => (await run(started.id)).steps?.find(({ status }) => status === 'WAITING_FOR_APPROVAL'),
        withinMs,
      )
      assert.equal(readFileSync(join(folder, 'a.txt'), 'utf8'), 'zebra\n')
      const decided = await change('decideApproval', { stepId: waiting.id, decision: 'APPROVED' }, 'step { message }')
      assert.equal((decided.step as { readonly message: string }).message, 'Ship zebra? I wrote it.')
      const { steps } = await untilRun(started.id, 'FAILED')
      assert.deepEqual(
        steps?.map(({ name: step, status }) => `${step} ${status}`),
        ['plan SUCCEEDED', 'write SUCCEEDED', 'check SUCCEEDED', 'approve SUCCEEDED', 'ship FAILED'],
      )

      const allow = { worktreeId, kind: 'SESSION', task: { command: 'touch allowed' } }
      await untilRun(runIdIn(await change('createAgentRun', allow, 'run { id }')), 'SUCCEEDED')
      const requests = server.requests.length
      const restarted = await change('retryRun', { runId: started.id, fromFailedStep: true }, 'run { id }')
      await untilRun(runIdIn(restarted), 'SUCCEEDED')
      assert.equal(server.requests.length, requests, 'a step that has succeeded is executed again')
      assert.equal(readFileSync(join(folder, 'shipped.txt'), 'utf8'), 'zebra\n')
      assert.equal((await runsOf(workflowId)).length, 2, 'the schedule has fired once')
    })
  })
}

/** Reads what the CLI has written. */
const checking = {
  name: 'check',
  inputs: [{ name: 'file', type: 'TEXT', required: true }],
  steps: [commandStep('read', 'echo "content=$(cat "$INPUT_FILE")" >> "$SIGNALBOX_OUTPUT"')],
  outputs: [{ name: 'content', value: '{{steps.read.content}}' }],
}

/** Plans, writes a file, starts another workflow, asks a person, and ships what the CLI has written. */
function shipping(checkingId: string) {
  const prompt = 'Write {{inputs.word}}. The plan: {{steps.plan.text}}'
  return {
    name: 'ship',
    inputs: [{ name: 'word', type: 'TEXT', required: true }],
    overlapPolicy: 'SKIP',
    steps: [
      { name: 'plan', action: { ai: { kind: 'PLAN', cli: cli.name, prompt: 'Plan how to write {{inputs.word}}.' } } },
      {
        name: 'write',
        action: { ai: { kind: 'SESSION', cli: cli.name, permissionPolicy: 'ALLOW_EDITS', prompt } },
      },
      { name: 'check', action: { workflow: { workflowId: checkingId, inputs: [{ name: 'file', value: 'a.txt' }] } } },
      { name: 'approve', action: { approval: { message: 'Ship {{steps.check.content}}? {{steps.write.text}}' } } },
      commandStep('ship', 'test -e allowed && cp a.txt shipped.txt'),
    ],
  }
}
