/**
 * Marked values in every argument of every tool, by every way to call it; then everything that the system has written is searched:
 * no log line and no audit record holds an argument, and nothing at all holds a secret.
 */

import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { BuiltinTool } from '../../../spec/tools/tool.ts'
import { connect, type Sql } from '../../../storage/sql/sql.ts'
import { reportWorktree, startBareAgent } from '../../kit/program/bareAgent.ts'
import { commandStep } from '../../kit/program/commandStep.ts'
import { session } from '../../kit/program/everybody.ts'
import { type Credentials, modern, type RpcAnswer, rpc } from '../../kit/program/mcp.ts'
import { beginRun, makePreset, makeWorkflow, mutate, startRun } from '../../kit/program/runs.ts'
import { type ScriptedServer, startScripted, text } from '../../kit/program/servers/scriptedServer.ts'
import { startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { embeddedServer } from '../../kit/runtime/postgres/embeddedServer.ts'
import { markedArguments } from './markedArguments.ts'

let stage: TestProgram
let scripted: ScriptedServer
let sql: Sql
let person: Credentials
const ids = new Map<string, string>()
/** By what each is. */
const secrets = new Map<string, string>()
const answers: string[] = []

const worktreeNames = ['main', 'one', 'two']

before(async () => {
  scripted = await startScripted()
  // A server that answers what it was sent with would give a credential away.
  scripted.answer = () => text('done')
  const env = { LOG_LEVEL: 'trace', OUTBOUND_ALLOW: '127.0.0.1', LIMIT_TOOL_CALLS_PER_MINUTE: '100000' }
  stage = await startTestProgram({ env })
  const agent = await startBareAgent(stage, 'bare')
  const worktrees = await reportWorktree(stage, agent, '/srv/bare', worktreeNames)
  const workflowId = await makeWorkflow(stage.ask, { name: 'w', steps: [commandStep('s', 'true')] })
  person = await session(stage)
  const hook = `whsec_${randomBytes(32).toString('base64')}`
  const made = { name: 'hooks', provider: 'GITHUB', secret: hook }
  const { integration } = await mutate<{ integration: { id: string } }>(
    stage.ask,
    'createIntegration',
    made,
    'integration { id }',
  )
  const server = { name: 'scripted', url: scripted.url }
  const { mcpServer } = await mutate<{ mcpServer: { id: string } }>(
    stage.ask,
    'createMcpServer',
    server,
    'mcpServer { id }',
  )
  const header = `header-${randomBytes(16).toString('hex')}`
  const set = [{ name: 'x-key', value: header }]
  await mutate(stage.ask, 'setMcpServerHeaders', { serverId: mcpServer.id, set }, 'mcpServer { id }')
  const preset = await makePreset(stage, ['get_agents'])
  const app = { bundleIdentifier: 'org.example.marked', name: 'a' }
  const { app: shop } = await mutate<{ app: { id: string } }>(stage.ask, 'createApp', app, 'app { id }')
  const { id: runId } = await startRun(stage.ask, { worktreeId: worktrees.one, command: 'true' })

  for (const id of [agent.agentId, worktrees.main, workflowId, integration.id, mcpServer.id, preset, shop.id, runId])
    if (id !== undefined) ids.set(id.slice(0, id.indexOf('_')), id)
  const { codebases } = await stage.ask<{ codebases: { nodes: { id: string }[] } }>('{ codebases { nodes { id } } }')
  ids.set('cbs', codebases.nodes[0]?.id ?? '')
  secrets.set('the API key', stage.key)
  secrets.set('the session', String(person.authorization).slice('Bearer '.length))
  secrets.set('the agent’s credential', agent.credential)
  secrets.set('the header of the external server', header)
  secrets.set('the secret of the integration', hook)

  const granted = await makePreset(stage, [
    'get_agents',
    'create_agent_run',
    'cancel_run',
    { serverId: mcpServer.id, name: 'echo' },
  ])
  const begun = await beginRun(stage, agent, worktrees.two, [granted])
  secrets.set('the run’s token', String(begun.token.authorization).slice('Bearer '.length))
  ids.set('granted', begun.runId)
  runToken = begun.token
  const { connection } = await embeddedServer(stage.dataDir)
  sql = connect({ connection }, { name: 'search', max: 1 })
})
after(async () => {
  await sql?.end({ timeout: 1 })
  await stage?.end()
  await scripted?.stop()
})
let runToken: Credentials

const marks: string[] = []
const marking = {
  next(maxLength: number): string {
    const mark = `mark${randomBytes(8).toString('hex')}`
    marks.push(mark.slice(0, maxLength))
    return mark.slice(0, maxLength)
  },
  known: (prefix: string) => ids.get(prefix),
}

const kept = (answer: RpcAnswer): RpcAnswer => {
  answers.push(JSON.stringify([answer.body, answer.notifications, [...answer.headers]]))
  return answer
}

async function asTheRun(): Promise<void> {
  const scope = `?run=${ids.get('granted')}`
  const { body } = await rpc(stage, 'tools/list', {}, { headers: runToken, scope })
  equal(body?.result.tools.length, 4)
  for (const { name, inputSchema } of body?.result.tools ?? []) {
    const given = markedArguments(inputSchema, marking, true)
    kept(await rpc(stage, 'tools/call', { name, arguments: given }, { headers: runToken, scope }))
  }
}

test('every tool is called over each surface with a mark in every argument, and its answers fit its output schema', {
  timeout: 120_000,
}, async () => {
  const key = { 'x-api-key': stage.key }
  const catalog = await fetch(`${stage.url}/api/tools/catalog`, { headers: person })
  const { tools } = (await catalog.json()) as { tools: (BuiltinTool & { groupId: string })[] }
  ok(tools.length > 80)
  await asTheRun()
  // Tools that delete objects come last, because other tools need the objects.
  tools.sort((a, b) => Number(a.annotations.destructiveHint) - Number(b.annotations.destructiveHint))
  let granted = 0
  const wrong: string[] = []
  for (const { name, groupId, inputSchema, outputSchema } of tools) {
    const fits = new Ajv2020({ strict: false, validateFormats: false }).compile(outputSchema)
    for (const withIds of [true, false]) {
      const given = () => markedArguments(inputSchema, marking, withIds)
      const direct = kept(await modern(stage, 'tools/call', { name, arguments: given() }, { headers: key }))
      equal(direct.status, 200, name)
      if (direct.body?.result?.isError !== true) {
        granted++
        if (!fits(direct.body?.result.structuredContent)) wrong.push(`${name}: ${JSON.stringify(fits.errors)}`)
      }
      const params = { name, arguments: given(), _meta: { progressToken: 1 } }
      kept(await rpc(stage, 'tools/call', params, { headers: key }))
      const body = JSON.stringify({ groupId, name, arguments: given() })
      const headers = { ...person, 'content-type': 'application/json' }
      const rest = await fetch(`${stage.url}/api/tools/call`, { method: 'POST', headers, body })
      answers.push(await rest.text())
    }
  }
  ok(granted > 40, `only ${granted} calls were granted`)
  deepEqual(wrong, [], 'clients refuse answers that do not fit the output schema')

  const odd = { name: marking.next(60), arguments: { [marking.next(60)]: marking.next(60) } }
  kept(await modern(stage, 'tools/call', odd, { headers: key }))
})

const searchable = () => marks.filter((mark) => mark.length >= 12)

/** Every row of every table as text. */
async function written(tables: readonly string[]): Promise<string> {
  const rows = await Promise.all(tables.map((table) => sql.unsafe(`select t::text as row from ${table} t`)))
  return rows.flatMap((of) => of.map(({ row }) => String(row))).join('\n')
}

async function allTables(): Promise<readonly string[]> {
  const rows = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname = 'public' order by 1`
  return rows.map(({ name }) => name)
}

test('no log line and no audit record holds an argument', async () => {
  const log = stage.program.output()
  const audit = await written((await allTables()).filter((table) => table.startsWith('tool_call')))
  ok(log.includes('agentConnection'), 'the log is searched')
  ok(audit.includes('get_agents'), 'the audit is searched')
  deepEqual(
    searchable().filter((mark) => log.includes(mark)),
    [],
    'in the log',
  )
  deepEqual(
    searchable().filter((mark) => audit.includes(mark)),
    [],
    'in the audit',
  )
})

test('no answer, log line or row holds a secret', async () => {
  const everything = {
    answers: answers.join('\n'),
    log: stage.program.output(),
    rows: await written(await allTables()),
  }
  ok(
    searchable().some((mark) => everything.rows.includes(mark)),
    'created objects have their arguments: rows are searched',
  )
  const found = [...secrets].flatMap(([what, secret]) =>
    Object.entries(everything).flatMap(([where, all]) => (all.includes(secret) ? [`${what} is in ${where}`] : [])),
  )
  deepEqual(found, [])
})
