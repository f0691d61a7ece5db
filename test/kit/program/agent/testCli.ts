import { spawn } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import {
  type AgentContext,
  agent,
  type ContentBlock,
  type McpServer,
  methods,
  ndJsonStream,
  RequestError,
  type ToolCallUpdate,
} from '@agentclientprotocol/sdk'
import { useMcp } from './mcpClient.ts'

/**
 * A coding CLI for tests. The prompt lists its actions, one word a line: `plan`, `think`, `tool`, `permission`, `permission edit`, `say <text>`, `mode`,
 * `Delete` (asks for permission too), `Plan` (states a plan), `attached` (shows the attached files), `write <path>`, `model`, `usage <input> <output> <cached>`, `orphan`, `hang`, `crash`; `tools` leaves the MCP servers that it was given in `mcp-servers.json`,
 * `mcp list` and `mcp call <name> <JSON>` use the first of them, `leak` prints its token everywhere. `fail <text>` refuses the prompt, with
 * the text in the error's data. `present <text>` presents a plan
 * and carries it out if it may. `markdown` writes a text with Markdown and HTML, `work` edits a file by a tool call with all its parts, and
 * `many <count>` makes so many tool calls. `update` sends only an update of a tool call. A line with an
 * unknown word does nothing, and a last line `echo` repeats the prompt.
 * `--no-load` makes it one that cannot continue conversations. `--resume` makes it one that can resume them; without it, it advertises
 * that it can and refuses, as one of the stock CLIs does. `--no-http` makes it one that takes no MCP servers over HTTP.
 */
const canLoad = !process.argv.includes('--no-load')
const canResume = process.argv.includes('--resume')
const takesHttp = !process.argv.includes('--no-http')
const sessions = new Map<string, { cwd: string; canceled: boolean; mcpServers: McpServer[] }>()
let mode = 'code'
let model = 'small'
const models = {
  currentModelId: model,
  availableModels: ['small', 'large'].map((modelId) => ({ modelId, name: modelId.toUpperCase() })),
}
const availableModes = ['code', 'plan'].map((id) => ({ id, name: id }))
let count = 0

function open(sessionId: string, { cwd, mcpServers }: { cwd: string; mcpServers: McpServer[] }) {
  sessions.set(sessionId, { cwd, canceled: false, mcpServers })
}

const app = agent({ name: 'test-cli' })
  .onRequest(methods.agent.initialize, ({ params }) => {
    const sessionCapabilities = { resume: {} }
    const promptCapabilities = { image: true, embeddedContext: true }
    const mcpCapabilities = { http: takesHttp }
    const agentCapabilities = { loadSession: canLoad, sessionCapabilities, promptCapabilities, mcpCapabilities }
    return { protocolVersion: params.protocolVersion, agentCapabilities }
  })
  .onRequest(methods.agent.session.setMode, ({ params }) => {
    mode = params.modeId
    return {}
  })
  .onRequest(methods.agent.session.new, ({ params }) => {
    count += 1
    open(`session_${count}`, params)
    return { sessionId: `session_${count}`, modes: { currentModeId: mode, availableModes }, models }
  })
  .onRequest(methods.agent.session.resume, ({ params }) => {
    if (!canResume) throw RequestError.methodNotFound(methods.agent.session.resume)
    open(params.sessionId, { cwd: params.cwd, mcpServers: params.mcpServers ?? [] })
    return { modes: { currentModeId: mode, availableModes }, models }
  })
  .onRequest(methods.agent.session.load, async ({ params, client }) => {
    if (!canLoad) throw RequestError.methodNotFound(methods.agent.session.load)
    if (params.sessionId === 'lost') throw new RequestError(-32603, 'Internal error', { details: 'No such session.' })
    open(params.sessionId, params)
    await say(client, params.sessionId, 'this is a message of an earlier turn')
    return { modes: { currentModeId: mode, availableModes }, models }
  })
  .onRequest(
    'session/set_model',
    (params) => params as { readonly modelId: string },
    ({ params }) => {
      model = params.modelId
      return {}
    },
  )
  .onNotification(methods.agent.session.cancel, ({ params }) => {
    const session = sessions.get(params.sessionId)
    if (session) session.canceled = true
  })
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const text = params.prompt.map((block) => (block.type === 'text' ? block.text : '')).join('')
    if (text.startsWith('attached'))
      for (const block of params.prompt) await say(client, params.sessionId, shown(block))
    if (text.endsWith('\necho')) await say(client, params.sessionId, text)
    for (const line of text.split('\n')) {
      const [word = '', ...rest] = line.split(' ')
      await act(client, params.sessionId, word, rest.join(' '))
      if (sessions.get(params.sessionId)?.canceled) return { stopReason: 'cancelled' }
    }
    return { stopReason: 'end_turn' }
  })

/** The requests for permission to run a command and to change a file. */
const editing: Partial<ToolCallUpdate> = {
  kind: 'execute',
  rawInput: { command: 'rm -rf build && make all' },
  content: [
    {
      type: 'diff',
      path: '/srv/app/main.c',
      oldText: '#include <stdio.h>\nint main() {\n  return 1;\n}\n',
      newText: '#include <stdio.h>\nint main() {\n  return 0;\n}\n',
    },
  ],
}

/** Markdown with the parts that coding CLIs write, and with what a page must not carry out. */
const markdown = [
  '## What I found',
  'The **cause** is in `main.c`, see [the manual](https://example.com/manual):',
  '',
  '| file | lines |',
  '| --- | ---: |',
  '| main.c | 4 |',
  '',
  '```c',
  'int main() { return 0; }',
  '```',
  '```ts',
  "const answer: string = 'forty-two'",
  '```',
  '- [x] found',
  '- [ ] fixed',
  '',
  '<img src=x onerror="document.title=1"> [no link](javascript:alert(1)) ![picture](https://example.com/picture.png)',
].join('\n')

/** An attached file in a few words. A link is followed. */
function shown(block: ContentBlock): string {
  switch (block.type) {
    case 'image':
      return `[image ${Buffer.from(block.data, 'base64').length}]`
    case 'resource':
      return 'text' in block.resource ? `[text ${block.resource.text}]` : ''
    case 'resource_link':
      return `[link ${block.name} ${readFileSync(fileURLToPath(block.uri)).length}]`
    default:
      return ''
  }
}

function say(client: AgentContext, sessionId: string, text: string): Promise<void> {
  const update = { sessionUpdate: 'agent_message_chunk' as const, content: { type: 'text' as const, text } }
  return client.notify(methods.client.session.update, { sessionId, update })
}

async function act(client: AgentContext, sessionId: string, word: string, rest: string): Promise<void> {
  const session = sessions.get(sessionId)
  if (!session) throw new Error('No such session.')
  const tell = (update: Parameters<typeof notify>[0]) => notify(update)
  const notify = (update: object) => client.notify(methods.client.session.update, { sessionId, update } as never)
  switch (word) {
    case 'say':
      for (const piece of rest.match(/.{1,3}/gs) ?? []) await say(client, sessionId, piece)
      return
    case 'Plan':
      return say(client, sessionId, '1. Find the cause.\n2. Fix it.')
    case 'think':
      return tell({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'Hm.' } })
    case 'plan':
      return tell({ sessionUpdate: 'plan', entries: [{ content: 'Look around', priority: 'high', status: 'pending' }] })
    case 'tool':
      await tell({ sessionUpdate: 'tool_call', toolCallId: 't1', title: 'Edit', kind: 'edit', status: 'pending' })
      return tell({ sessionUpdate: 'tool_call_update', toolCallId: 't1', status: 'completed' })
    case 'markdown':
      return say(client, sessionId, markdown)
    case 'work':
      await tell({
        sessionUpdate: 'tool_call',
        toolCallId: 't5',
        title: 'Edit main.c',
        status: 'in_progress',
        ...editing,
      })
      writeFileSync(join(session.cwd, 'main.c'), 'int main() {\n  return 0;\n}\n')
      return tell({
        sessionUpdate: 'tool_call_update',
        toolCallId: 't5',
        status: 'completed',
        locations: [{ path: '/srv/app/main.c', line: 3 }],
        rawOutput: { saved: true },
      })
    case 'many':
      for (let number = 1; number <= Number(rest); number++) {
        const toolCall = { toolCallId: `many${number}`, title: `Step ${number}`, kind: 'read', status: 'completed' }
        await tell({ sessionUpdate: 'tool_call', ...toolCall, rawInput: { path: `/srv/app/${number}.c` } })
      }
      return
    case 'update':
      return tell({ sessionUpdate: 'tool_call_update', toolCallId: 't9', title: 'Read it', status: 'completed' })
    case 'fail':
      throw new RequestError(-32603, 'Internal error', { details: rest })
    case 'Delete':
    case 'permission': {
      const { outcome } = await client.request(methods.client.session.requestPermission, {
        sessionId,
        toolCall: { toolCallId: 't2', title: 'Delete everything', ...(rest === 'edit' ? editing : {}) },
        options: [
          { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
          { optionId: 'no', name: 'Reject', kind: 'reject_once' },
        ],
      })
      return say(client, sessionId, `[${outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome}]`)
    }
    case 'present': {
      const { outcome } = await client.request(methods.client.session.requestPermission, {
        sessionId,
        toolCall: { toolCallId: 't4', title: 'Carry it out?', kind: 'switch_mode', rawInput: { plan: rest } },
        options: [
          { optionId: 'go', name: 'Carry it out', kind: 'allow_always' },
          { optionId: 'stay', name: 'Keep planning', kind: 'reject_once' },
        ],
      })
      if (outcome.outcome === 'selected' && outcome.optionId === 'go') writeFileSync(join(session.cwd, 'done.txt'), '')
      while (!session.canceled) await new Promise((resolve) => setTimeout(resolve, 20))
      return
    }
    case 'mode':
      return say(client, sessionId, mode)
    case 'model':
      return say(client, sessionId, model)
    case 'usage': {
      const [inputTokens, outputTokens, cachedReadTokens] = rest.split(' ').map(Number)
      const usage = { inputTokens, outputTokens, cachedReadTokens }
      const content = { type: 'text', text: '' }
      await tell({ sessionUpdate: 'agent_message_chunk', content, _meta: { usage } })
      return tell({ sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: 0.25, currency: 'USD' } })
    }
    case 'tools':
      writeFileSync(join(session.cwd, 'mcp-servers.json'), JSON.stringify(session.mcpServers))
      return say(client, sessionId, `[${session.mcpServers.map(({ name }) => name).join()}]`)
    case 'mcp':
      return say(client, sessionId, await useMcp(session.mcpServers, rest))
    case 'leak':
      return leak(client, sessionId, JSON.stringify(session.mcpServers))
    case 'secrets':
      return say(
        client,
        sessionId,
        Object.keys(process.env)
          .filter((name) => name.startsWith('SIGNALBOX_'))
          .join(),
      )
    case 'write':
      return writeFileSync(rest, 'written')
    case 'orphan':
      spawn('setsid', ['sleep', '600'], { stdio: 'ignore' }).unref()
      return
    case 'hang':
      appendFileSync(join(session.cwd, 'hang.txt'), `${process.pid}\n`)
      while (!session.canceled) await new Promise((resolve) => setTimeout(resolve, 20))
      return
    case 'stuck':
      process.on('SIGTERM', () => {})
      appendFileSync(join(session.cwd, 'hang.txt'), `${process.pid}\n`)
      return new Promise(() => setInterval(() => {}, 1000))
    case 'crash':
      process.stderr.write('out of luck\n')
      process.exit(9)
  }
}

/** As CLIs do that log their settings, or ask whether they may send a request. */
async function leak(client: AgentContext, sessionId: string, secret: string): Promise<void> {
  for (const piece of secret.match(/.{1,3}/gs) ?? []) await say(client, sessionId, piece)
  const tell = (update: object) => client.notify(methods.client.session.update, { sessionId, update } as never)
  for (const piece of secret.match(/.{1,20}/gs) ?? []) {
    await tell({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: piece } })
    await new Promise<void>((resolve) => process.stderr.write(piece, () => setTimeout(resolve, 5)))
  }
  const toolCall = { toolCallId: 't3', title: `curl ${secret}`, kind: 'execute', rawInput: { [secret]: [secret] } }
  await tell({ sessionUpdate: 'tool_call', status: 'pending', ...toolCall })
  await tell({ sessionUpdate: 'plan', entries: [{ content: secret, priority: 'high', status: 'pending' }] })
  await client.request(methods.client.session.requestPermission, {
    sessionId,
    toolCall: { toolCallId: 't3', title: `curl ${secret}` },
    options: [{ optionId: 'no', name: `Not ${secret}`, kind: 'reject_once' }],
  })
  throw new RequestError(-32000, `The request failed: ${secret}`)
}

const input = Readable.toWeb(process.stdin) as unknown as ReadableStream<Uint8Array>
app.connect(ndJsonStream(Writable.toWeb(process.stdout) as WritableStream<Uint8Array>, input))
