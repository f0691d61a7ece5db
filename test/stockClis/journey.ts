/** The journey of a person with a stock CLI: the real program, the real agent and the real CLI. Only the model is scripted. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Machine, startMachine } from '../kit/program/machine.ts'
import { makePreset, mutate, type RunView, runFields, startRun, untilRun } from '../kit/program/runs.ts'
import { gate, startTestProgram, type TestProgram } from '../kit/program/testProgram.ts'
import { until as untilTrue } from '../kit/program/until.ts'
import { behaviors } from './behaviors.ts'
import type { StockCli } from './clis.ts'
import { type ModelServer, startModelServer } from './model/modelServer.ts'
import { defaultUsage, isTurn, type ModelReply, type ModelRequest, replyFromScript } from './model/turns.ts'

/** The CLI takes seconds to start. */
const withinMs = 60_000

async function untilPid(path: string): Promise<number> {
  return await untilTrue(
    'the tool to run',
    () => {
      const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
      return text.endsWith('\n') ? Number(text) : undefined
    },
    withinMs,
  )
}

export function testJourney(cli: StockCli): void {
  const { name } = cli
  let stage: TestProgram
  let machine: Machine
  let server: ModelServer
  let replies: (ModelReply | ((request: ModelRequest) => ModelReply))[] = []

  const lastTurn = (): string => JSON.stringify(server.requests.filter(isTurn).at(-1)?.messages)

  before(async () => {
    stage = await startTestProgram()
    server = await startModelServer(
      replyFromScript((request) => {
        const reply = replies.shift()
        return typeof reply === 'function' ? reply(request) : reply
      }),
    )
    const { file, args, env } = cli.prepare(server.url, join(stage.folder, 'home'))
    const settings = Object.entries(env).map(([name, value]) => `${name}='${value}'`)
    const command = ['exec', 'env', ...settings, file, ...args].join(' ')
    machine = await startMachine(stage, {
      branches: ['work', 'edit', 'tools', 'skills', 'cancel', 'plan', 'fail'],
      clis: [`${name}=acp:${command}`],
    })
  })
  after(async () => {
    await stage?.end()
    await server?.close()
  })

  const start = (branch: string, prompt: string, more: object = {}) =>
    startRun(stage.ask, { worktreeId: machine.worktree(branch), prompt, cli: name, ...more })
  const until = (id: string, status: string) => untilRun(stage.ask, id, [status], withinMs)
  const followUp = async (runId: string, prompt: string) => {
    const { run } = await mutate<{ run: RunView }>(
      stage.ask,
      'createRunFollowUp',
      { runId, prompt },
      `run { ${runFields} }`,
    )
    return await until(run.id, 'SUCCEEDED')
  }

  test(`${name}: a session asks before it edits, shows the edit, and two follow-ups continue the conversation`, async () => {
    const file = join(machine.path('work'), 'a.txt')
    replies = [{ toolCalls: [cli.writeFile(file, 'zebra\n')] }, { text: ['I wrote ', 'the file.'] }]
    const first = await start('work', 'Write zebra into a.txt.')
    const waiting = await until(first.id, 'WAITING_FOR_INPUT')
    assert.match(waiting.question?.title ?? '', /a\.txt/)
    assert.equal(existsSync(file), false)
    const { run } = await stage.ask<{ run: { question: { options: { optionId: string; kind: string }[] } } }>(
      'query ($id: ID!) { run(id: $id) { question { options { optionId kind } } } }',
      { id: first.id },
    )
    const optionId = run.question.options.find(({ kind }) => kind === 'ALLOW_ONCE')?.optionId
    const { questionId } = waiting
    await mutate(stage.ask, 'answerRun', { runId: first.id, questionId, answer: { optionId } }, 'run { id }')
    const done = await until(first.id, 'SUCCEEDED')
    assert.equal(readFileSync(file, 'utf8'), 'zebra\n')
    assert.equal(done.result?.text, 'I wrote the file.')
    assert.equal(done.conversation, 'NEW')
    const { runEvents } = await stage.ask<{
      runEvents: { events: { type: string; toolCall: { title: string | null; kind: string | null } | null }[] }
    }>('query ($id: ID!) { runEvents(runId: $id) { events { type toolCall { title kind } } } }', { id: first.id })
    const calls = runEvents.events.filter(({ type }) => type === 'TOOL_CALL')
    assert.ok(
      calls.some(({ toolCall }) => toolCall?.kind === 'EDIT'),
      JSON.stringify(calls),
    )

    replies = [{ text: ['It is zebra.'] }, { text: ['It had one file.'] }]
    const second = await followUp(first.id, 'Which word did you write?')
    assert.match(lastTurn(), /Write zebra into a\.txt\..*I wrote the file\..*Which word did you write\?/)
    const third = await followUp(second.id, 'How many files?')
    assert.match(lastTurn(), /I wrote the file\..*It is zebra\..*How many files\?/)
    assert.equal(third.result?.text, 'It had one file.')
    const ways = behaviors[name].continuesBy
    for (const { conversation } of [second, third]) assert.ok(ways.includes(conversation ?? 'NEW'), `${conversation}`)
  })

  test(`${name}: with a policy that allows edits no person is asked, and the usage is recorded`, async () => {
    const file = join(machine.path('edit'), 'a.txt')
    replies = [{ toolCalls: [cli.writeFile(file, 'zebra\n')] }, { text: ['Done.'] }]
    const run = await start('edit', 'Write zebra.', { configuration: { permissionPolicy: 'ALLOW_EDITS' } })
    await until(run.id, 'SUCCEEDED')
    assert.equal(readFileSync(file, 'utf8'), 'zebra\n')
    const { run: seen } = await stage.ask<{ run: { result: { usage: { inputTokens: number } | null } } }>(
      'query ($id: ID!) { run(id: $id) { result { usage { inputTokens outputTokens } } } }',
      { id: run.id },
    )
    const { inputTokens, outputTokens } = defaultUsage
    const twice = { inputTokens: 2 * inputTokens, outputTokens: 2 * outputTokens }
    assert.deepEqual(seen.result.usage, behaviors[name].usage === 'ABSENT' ? null : twice)
  })

  test(`${name}: a model that the CLI does not offer is the problem of the run`, async () => {
    const run = await start('edit', 'Hello.', { configuration: { model: 'no-such-model' } })
    const { problem } = await until(run.id, 'FAILED')
    assert.equal(problem?.code, 'MODEL_UNAVAILABLE', problem?.message)
  })

  test(`${name}: its model calls a tool of Signalbox with the token of the run`, async () => {
    const preset = await makePreset(stage, ['get_run'])
    const configuration = { permissionPolicy: 'ALLOW_ALL' }
    let runId = ''
    const callGetRun = ({ tools }: ModelRequest): ModelReply => {
      // The CLIs put the name of the server before the name of the tool, in different ways.
      const tool = tools.find((one) => one.endsWith('get_run'))
      if (tool === undefined) return { text: [`There is no such tool: ${tools.join()}`] }
      return { toolCalls: [{ name: tool, input: { id: runId } }] }
    }
    replies = [
      (request) => {
        // Qwen Code lists the tools of MCP servers only after the model has searched for them.
        if (!request.tools.includes('tool_search')) return callGetRun(request)
        replies.unshift(callGetRun)
        return { toolCalls: [{ name: 'tool_search', input: { query: 'get_run' } }] }
      },
      { text: ['I have looked.'] },
    ]
    const going = gate(stage)
    const before = await startRun(stage.ask, { worktreeId: machine.worktree('tools'), command: going.command })
    const run = await start('tools', 'Look at your run.', { configuration, mcpPresetIds: [preset] })
    runId = run.id
    await going.open()
    await until(before.id, 'SUCCEEDED')
    const done = await until(run.id, 'SUCCEEDED')
    assert.equal(done.result?.text, 'I have looked.')
    assert.match(
      lastTurn(),
      new RegExp(`${run.id}.*Look at your run`),
      'the result of the tool has the run and its title',
    )
    const { mcpToolCalls } = await stage.ask<{
      mcpToolCalls: { nodes: { tool: string; outcome: string; requestedBy: { id: string } }[] }
    }>('{ mcpToolCalls(first: 5) { nodes { tool outcome requestedBy { ... on SessionRun { id } } } } }')
    assert.deepEqual(mcpToolCalls.nodes[0], { tool: 'get_run', outcome: 'SUCCESS', requestedBy: { id: run.id } })
  })

  test(`${name}: its model is offered a skill and reads its instructions, and git does not see the skill`, async () => {
    const text = '---\nname: rare-animals\ndescription: Finds rare animals.\n---\nThe animal is an okapi.\n'
    const files = [{ path: 'SKILL.md', content: { text } }]
    const { skill } = await mutate<{ skill: { id: string } }>(
      stage.ask,
      'createSkill',
      { name: 'rare-animals', files },
      'skill { id }',
    )
    replies = [
      { toolCalls: [cli.useSkill('rare-animals')] },
      { toolCalls: [cli.runCommand('git status --porcelain --ignored; echo looked')] },
      { text: ['An okapi.'] },
    ]
    const asked = server.requests.length
    const run = await start('skills', 'Find an animal.', { configuration: { permissionPolicy: 'ALLOW_ALL' } })
    await until(run.id, 'SUCCEEDED')
    await mutate(stage.ask, 'archiveSkill', { skillId: skill.id }, 'skill { id }')
    const [first] = server.requests.slice(asked).filter(isTurn)
    assert.match(JSON.stringify(first), /Finds rare animals\./, 'the first request offers the skill')
    assert.match(lastTurn(), /The animal is an okapi\./, 'the result of the tool has the instructions')
    assert.match(lastTurn(), /!! \.\w+\/[^?]*looked/, 'git ignores the skill')
    const { run: seen } = await stage.ask<{ run: { skills: object[]; changes: { fileCount: number } } }>(
      'query ($id: ID!) { run(id: $id) { skills { name placement } changes { fileCount } } }',
      { id: run.id },
    )
    assert.deepEqual(seen, { skills: [{ name: 'rare-animals', placement: 'PLACED' }], changes: { fileCount: 0 } })
    assert.deepEqual(existsSync(join(machine.path('skills'), '.agents')), false)
  })

  test(`${name}: a cancel in the middle of a tool ends the tool, and a follow-up continues the conversation`, async () => {
    const pidFile = join(machine.path('cancel'), 'pid')
    const command = `echo $$ > ${pidFile}; for i in 1 2 3 4 5 6 7 8 9; do sleep 5; done`
    replies = [{ text: ['The word is zebra.'] }]
    const configuration = { permissionPolicy: 'ALLOW_ALL' }
    const first = await start('cancel', 'Remember zebra.', { configuration })
    await until(first.id, 'SUCCEEDED')
    replies = [{ toolCalls: [cli.runCommand(command)] }, { text: ['Too late.'] }]
    const { run } = await mutate<{ run: RunView }>(
      stage.ask,
      'createRunFollowUp',
      { runId: first.id, prompt: 'Wait.' },
      `run { ${runFields} }`,
    )
    const pid = await untilPid(pidFile)
    await mutate(stage.ask, 'cancelRun', { runId: run.id }, 'run { id }')
    await until(run.id, 'CANCELED')
    assert.throws(() => process.kill(pid, 0), 'the tool continues')
    replies = [{ text: ['It was zebra.'] }]
    await followUp(first.id, 'Which word?')
    assert.match(lastTurn(), /Remember zebra\..*Which word\?/)
  })

  test(`${name}: the result of a PLAN run is its plan, and no file is written`, async () => {
    const plan = '# Plan\n1. Look around.'
    const file = join(machine.path('plan'), 'a.txt')
    replies = [
      { toolCalls: [cli.writeFile(file, 'zebra\n')] },
      ...cli.presentPlan(plan).map((call) => ({ toolCalls: [call] })),
      { text: ['Well.'] },
    ]
    const run = await start('plan', 'Plan the work.', { kind: 'PLAN' })
    const done = await until(run.id, 'SUCCEEDED')
    assert.equal(existsSync(file), false)
    assert.equal(done.result?.text, plan)
  })

  test(`${name}: a run fails with the error of its model`, async () => {
    replies = [{ error: { status: 400, message: 'The scripted failure.' } }]
    const run = await start('fail', 'Fail.')
    const { problem } = await until(run.id, 'FAILED')
    assert.equal(problem?.code, 'CLI_FAILED')
    assert.match(problem?.message ?? '', /The scripted failure\./)
  })
}
