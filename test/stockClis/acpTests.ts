/**
 * Tests of a stock CLI over ACP with a scripted model. No part of the product runs here. Each CLI has a test file of its own, so that
 * they run at the same time.
 */
import assert from 'node:assert/strict'
import { existsSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { methods, type RequestError } from '@agentclientprotocol/sdk'
import { type BareClient, type PermissionKind, startBareClient } from './bareClient.ts'
import { behaviors } from './behaviors.ts'
import type { StockCli } from './clis.ts'
import { type ModelServer, startModelServer } from './model/modelServer.ts'
import { isTurn, type ModelReply, type ModelRequest, type ModelToolCall, replyFromScript } from './model/turns.ts'

interface Scene {
  readonly server: ModelServer
  readonly folder: string
  readonly client: BareClient
  /** A path in the worktree. */
  path(name: string): string
  /** The requests of the conversation, without those that a CLI sends for itself. */
  turns(): readonly ModelRequest[]
  startAgain(): Promise<BareClient>
}

/** @param replies the replies to the requests of the conversation, in order */
async function startScene(
  t: TestContext,
  cli: StockCli,
  replies: (path: (name: string) => string) => readonly ModelReply[],
  answer: PermissionKind = 'allow_once',
): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), 'stock-cli-'))
  const path = (name: string) => join(folder, 'worktree', name)
  const left = [...replies(path)]
  const server = await startModelServer(replyFromScript(() => left.shift()))
  const clients: BareClient[] = []
  t.after(async () => {
    for (const client of clients) await client.close()
    await server.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  })
  const startAgain = async (): Promise<BareClient> => {
    const client = await startBareClient({ cli, modelUrl: server.url, folder, answer: () => answer })
    clients.push(client)
    return client
  }
  const client = await startAgain()
  return { server, folder, client, path, startAgain, turns: () => server.requests.filter(isTurn) }
}

const say = (...text: string[]): ModelReply => ({ text })
const call = (toolCall: ModelToolCall): ModelReply => ({ toolCalls: [toolCall] })

function allText(request: ModelRequest | undefined): string {
  return request?.messages.map(({ text }) => text).join('\n') ?? ''
}

async function waitFor(condition: () => boolean): Promise<void> {
  for (const end = performance.now() + 20_000; !condition(); await delay(20))
    assert.ok(performance.now() < end, `not within 20 s: ${condition}`)
}

/**
 * Makes the stored sessions of Gemini a day older. It names the file after the minute of the start. If it loads a session in the same
 * minute, it overwrites the file before it reads it.
 */
function makeSessionsOlder(folder: string): void {
  const files = globSync(join(folder, 'home/.gemini/tmp/*/chats/session-*.jsonl'))
  for (const file of files) renameSync(file, file.replace(/session-\d{4}-\d\d-\d\d/, 'session-2026-01-01'))
}

export function testOverAcp(cli: StockCli): void {
  const { name } = cli
  const behavior = behaviors[name]

  test(`${name}: a prompt is answered, and the modes and the token usage are reported`, async (t) => {
    const { server, client, turns } = await startScene(t, cli, () => [
      { text: ['Good ', 'morning'], usage: { inputTokens: 321, outputTokens: 12 } },
    ])
    assert.equal(client.about.agentCapabilities?.loadSession, true)
    assert.equal(client.about.agentCapabilities?.mcpCapabilities?.http, true)
    const { sessionId, modes } = await client.openSession()
    const offered = modes?.availableModes.map(({ id }) => id).filter((id) => id !== 'bypassPermissions')
    assert.deepEqual(offered, behavior.modes)
    const response = await client.prompt(sessionId, 'Hello')
    assert.equal(response.stopReason, 'end_turn')
    assert.equal(client.text(), 'Good morning')
    assert.equal(turns().length, 1)
    assert.match(allText(turns()[0]), /Hello/)
    assert.deepEqual(server.unknown, [])
    const reports = { UPDATE: client.updates, PROMPT_RESPONSE: response }
    for (const [place, report] of Object.entries(reports))
      assert.equal(/\b321\b/.test(JSON.stringify(report)), place === behavior.usage, place)
  })

  test(`${name}: a file is written after its permission is granted`, async (t) => {
    const { client, path, turns } = await startScene(t, cli, (path) => [
      call(cli.writeFile(path('a.txt'), 'written\n')),
      say('Done.'),
    ])
    const { sessionId } = await client.openSession()
    assert.equal((await client.prompt(sessionId, 'Write')).stopReason, 'end_turn')
    assert.equal(readFileSync(path('a.txt'), 'utf8'), 'written\n')
    assert.equal(client.permissions.length, 1)
    const toolCall = client.permissions[0]?.toolCall
    assert.match(toolCall?.title ?? '', /a\.txt/)
    assert.equal(toolCall?.kind, behavior.permissionKind)
    assert.equal(toolCall?.rawInput !== undefined, behavior.permissionHasInput)
    const announced = client.updates.some(({ sessionUpdate }) => sessionUpdate === 'tool_call')
    assert.equal(announced, behavior.announcesToolCalls)
    const done = client.updates.find(
      (update) => update.sessionUpdate === 'tool_call_update' && update.status === 'completed',
    )
    assert.ok(done && 'toolCallId' in done && done.toolCallId === toolCall?.toolCallId)
    const diffs = JSON.stringify([client.permissions, client.updates]).match(/"newText":"written\\n"/g)
    assert.ok(diffs, 'the edit is shown as a diff')
    assert.equal(turns()[1]?.messages.at(-1)?.toolResults.length, 1)
  })

  test(`${name}: a file is not written if its permission is rejected`, async (t) => {
    const replies = (path: (name: string) => string) => [call(cli.writeFile(path('a.txt'), 'written\n')), say('Well.')]
    const { client, path, turns } = await startScene(t, cli, replies, 'reject_once')
    const { sessionId } = await client.openSession()
    assert.equal((await client.prompt(sessionId, 'Write')).stopReason, 'end_turn')
    assert.equal(existsSync(path('a.txt')), false)
    assert.equal(client.permissions.length, 1)
    assert.equal(turns().length, behavior.continuesAfterRejection ? 2 : 1)
  })

  test(`${name}: the second prompt of a session continues the conversation of the first`, async (t) => {
    const { client, turns } = await startScene(t, cli, () => [say('Noted ', 'it.'), say('Zebra.')])
    const { sessionId } = await client.openSession()
    await client.prompt(sessionId, 'The word is zebra.')
    await client.prompt(sessionId, 'Which word?')
    assert.match(allText(turns()[1]), /The word is zebra\.\nNoted it\.\nWhich word\?/)
  })

  test(`${name}: a new process that loads the session continues its conversation`, async (t) => {
    const { client, folder, turns, startAgain } = await startScene(t, cli, () => [say('Noted it.'), say('Zebra.')])
    const { sessionId } = await client.openSession()
    await client.prompt(sessionId, 'The word is zebra.')
    await client.close()
    makeSessionsOlder(folder)
    const again = await startAgain()
    await again.agent.request(methods.agent.session.load, { sessionId, cwd: again.worktree, mcpServers: [] })
    await waitFor(() => again.text().includes('Noted it.'))
    await again.prompt(sessionId, 'Which word?')
    assert.match(allText(turns()[1]), /The word is zebra\.\nNoted it\.\nWhich word\?/)
  })

  test(`${name}: session/resume ${behavior.resume === 'WORKS' ? 'continues the conversation' : 'does not exist'}`, async (t) => {
    const { client, turns, startAgain } = await startScene(t, cli, () => [say('Noted it.'), say('Zebra.')])
    const { sessionId } = await client.openSession()
    await client.prompt(sessionId, 'The word is zebra.')
    await client.close()
    const again = await startAgain()
    const resume = again.agent.request(methods.agent.session.resume, {
      sessionId,
      cwd: again.worktree,
      mcpServers: [],
    })
    if (behavior.resume === 'METHOD_NOT_FOUND') return assert.rejects(resume, { code: -32601 })
    await resume
    assert.equal(again.text(), '')
    await again.prompt(sessionId, 'Which word?')
    assert.match(allText(turns()[1]), /The word is zebra\.\nNoted it\.\nWhich word\?/)
  })

  for (const answer of ['reject_once', 'allow_once'] as const)
    test(`${name}: a plan is presented as a permission request (${answer})`, async (t) => {
      const replies = () => [...cli.presentPlan('# Plan\n1. Look around.').map(call), say('Well.')]
      const { client, turns } = await startScene(t, cli, replies, answer)
      const { sessionId } = await client.openSession()
      await client.agent.request(methods.agent.session.setMode, { sessionId, modeId: 'plan' })
      assert.equal((await client.prompt(sessionId, 'Plan')).stopReason, 'end_turn')
      assert.equal(client.permissions.length, 1)
      const toolCall = client.permissions[0]?.toolCall
      const shown = client.updates.find(
        (update) => 'toolCallId' in update && update.toolCallId === toolCall?.toolCallId,
      )
      assert.equal(toolCall?.kind ?? (shown && 'kind' in shown ? shown.kind : undefined), behavior.planKind)
      if (behavior.planKind === 'switch_mode') assert.deepEqual(toolCall?.rawInput, { plan: '# Plan\n1. Look around.' })
      else assert.match(toolCall?.title ?? '', /^Requesting plan approval for: .*\/plans\/plan\.md$/)
      const isModelAskedAgain = answer === 'allow_once' || behavior.continuesAfterRejection
      assert.equal(turns().length, cli.presentPlan('').length + (isModelAskedAgain ? 1 : 0))
    })

  test(`${name}: plan mode ${behavior.planModeRefusesEdits ? 'refuses an edit' : 'asks for permission to edit'}`, async (t) => {
    const { client, path } = await startScene(t, cli, (path) => [
      call(cli.writeFile(path('a.txt'), 'written\n')),
      say('Done.'),
    ])
    const { sessionId } = await client.openSession()
    await client.agent.request(methods.agent.session.setMode, { sessionId, modeId: 'plan' })
    await client.prompt(sessionId, 'Write')
    assert.equal(client.permissions.length, behavior.planModeRefusesEdits ? 0 : 1)
    assert.equal(existsSync(path('a.txt')), !behavior.planModeRefusesEdits)
  })

  test(`${name}: a model error of status 400 reaches the client with its message`, async (t) => {
    const failure = { error: { status: 400, message: 'The scripted failure.' } }
    const { client, turns } = await startScene(t, cli, () => [failure])
    const { sessionId } = await client.openSession()
    await assert.rejects(client.prompt(sessionId, 'Fail'), ({ code, message, data }: RequestError) => {
      assert.equal(code, behavior.modelError.code)
      assert.match(message, behavior.modelError.message)
      assert.deepEqual(data, behavior.modelError.data)
      return true
    })
    assert.equal(turns().length, 1)
  })

  test(`${name}: a model request that failed with 500 is repeated`, async (t) => {
    const failure = { error: { status: 500, message: 'The scripted failure.' } }
    const { client, turns } = await startScene(t, cli, () => [failure, say('Now it works.')])
    const { sessionId } = await client.openSession()
    assert.equal((await client.prompt(sessionId, 'Try')).stopReason, 'end_turn')
    assert.equal(client.text(), 'Now it works.')
    assert.equal(turns().length, 2)
  })

  test(`${name}: a cancel in the middle of a reply ends the turn and the model request`, async (t) => {
    const pieces = Array.from({ length: 600 }, (_, index) => `piece ${index} `)
    const { client, server } = await startScene(t, cli, () => [{ text: pieces, delayMs: 50 }])
    const { sessionId } = await client.openSession()
    const turn = client.prompt(sessionId, 'Talk')
    await waitFor(() => client.text().includes('piece 3'))
    await client.agent.notify(methods.agent.session.cancel, { sessionId })
    assert.equal((await turn).stopReason, 'cancelled')
    await waitFor(() => server.abandoned.length === 1)
  })

  test(`${name}: a cancel in the middle of a tool ends the turn and the tool`, async (t) => {
    const { client, path, turns } = await startScene(t, cli, (path) => [
      call(cli.runCommand(`echo $$ > ${path('pid')}; for i in 1 2 3 4 5 6 7 8 9; do sleep 5; done`)),
      say('Done.'),
    ])
    const { sessionId } = await client.openSession()
    const turn = client.prompt(sessionId, 'Run')
    await waitFor(() => existsSync(path('pid')) && readFileSync(path('pid'), 'utf8').endsWith('\n'))
    const pid = Number(readFileSync(path('pid'), 'utf8'))
    assert.ok(isAlive(pid))
    await client.agent.notify(methods.agent.session.cancel, { sessionId })
    assert.equal((await turn).stopReason, 'cancelled')
    await waitFor(() => !isAlive(pid))
    assert.equal(turns().length, 1)
  })
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
