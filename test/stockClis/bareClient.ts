/** An ACP client without the product: it records each message of a CLI and answers permission requests as a test decides. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type ClientContext,
  client,
  type InitializeResponse,
  methods,
  type NewSessionResponse,
  ndJsonStream,
  PROTOCOL_VERSION,
  type PromptResponse,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk'
import type { StockCli } from './clis.ts'

/** How long Qwen may take to write its last reply to disk. It does not wait for that when it exits. */
const settleMs = 200

/** How long a CLI may take to exit after SIGTERM. Claude writes its conversation to disk meanwhile. */
const politeMs = 2_000

export interface BareClient {
  /** Starts a session in the worktree. */
  openSession(): Promise<NewSessionResponse>
  prompt(sessionId: string, text: string): Promise<PromptResponse>
  close(): Promise<void>
  readonly agent: ClientContext
  readonly about: InitializeResponse
  readonly worktree: string
  readonly updates: SessionUpdate[]
  readonly permissions: RequestPermissionRequest[]
  readonly stderr: () => string
  /** The text that the CLI has sent so far as its messages. */
  text(): string
}

/** The kind of the option that answers a permission request. */
export type PermissionKind = 'allow_once' | 'reject_once'

export interface BareClientOptions {
  readonly cli: StockCli
  readonly modelUrl: string
  /** Contains the home folder, and the worktree unless it is given. */
  readonly folder: string
  readonly worktree?: string
  onUpdate?(update: SessionUpdate): void
  answer?(request: RequestPermissionRequest): PermissionKind
}

export async function startBareClient(options: BareClientOptions): Promise<BareClient> {
  const home = join(options.folder, 'home')
  const { worktree = join(options.folder, 'worktree') } = options
  for (const path of [home, worktree]) mkdirSync(path, { recursive: true })
  const { file, args, env } = options.cli.prepare(options.modelUrl, home)
  const child = spawn(file, args, { cwd: worktree, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', (data) => (stderr += data))
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {})
  const exit = once(child, 'exit')
  const updates: SessionUpdate[] = []
  const permissions: RequestPermissionRequest[] = []
  const connection = client({ name: 'bare-client' })
    .onNotification(methods.client.session.update, ({ params }) => {
      updates.push(params.update)
      options.onUpdate?.(params.update)
    })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      permissions.push(params)
      const kind = options.answer?.(params) ?? 'reject_once'
      const option = params.options.find((offered) => offered.kind === kind)
      if (!option) return { outcome: { outcome: 'cancelled' as const } }
      return { outcome: { outcome: 'selected' as const, optionId: option.optionId } }
    })
    .connect(
      ndJsonStream(
        Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
        Readable.toWeb(child.stdout) as unknown as ReadableStream<Uint8Array>,
      ),
    )
  const { agent } = connection
  const about = await agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: {},
    clientInfo: { name: 'bare-client', version: '1' },
  })
  return {
    agent,
    about,
    worktree,
    updates,
    permissions,
    stderr: () => stderr,
    openSession: () => agent.request(methods.agent.session.new, { cwd: worktree, mcpServers: [] }),
    prompt: (sessionId, text) =>
      agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] }),
    text: () =>
      updates
        .map((update) =>
          update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? update.content.text : '',
        )
        .join(''),
    async close() {
      await delay(settleMs)
      child.kill('SIGTERM')
      // The group also contains the `claude` process of the adapter, which exits later, and the tools that the CLI started.
      await endGroup(child.pid)
      await exit
      connection.close()
    },
  }
}

async function endGroup(pid: number | undefined): Promise<void> {
  if (pid === undefined) return
  for (const end = performance.now() + politeMs; performance.now() < end; await delay(20))
    if (!signalGroup(pid, 0)) return
  signalGroup(pid, 'SIGKILL')
}

/** Returns false if no process is left in the group. */
function signalGroup(pid: number, signal: 'SIGKILL' | 0): boolean {
  try {
    return process.kill(-pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    return false
  }
}
