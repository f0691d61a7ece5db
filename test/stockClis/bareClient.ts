/** An ACP client without the product: it records what a CLI sends and answers permission requests as a test says. */
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
  ndJsonStream,
  PROTOCOL_VERSION,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk'
import type { StockCli } from './clis.ts'

/** How long a CLI may take to exit after its input is closed. It writes its conversation to disk meanwhile. */
const politeMs = 2_000

export interface BareClient {
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
  /** Contains the home folder and the worktree. */
  readonly folder: string
  answer?(request: RequestPermissionRequest): PermissionKind
}

export async function startBareClient(options: BareClientOptions): Promise<BareClient> {
  const home = join(options.folder, 'home')
  const worktree = join(options.folder, 'worktree')
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
    text: () =>
      updates
        .map((update) =>
          update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? update.content.text : '',
        )
        .join(''),
    async close() {
      connection.close()
      child.stdin.destroy()
      await Promise.race([exit, delay(politeMs, undefined, { ref: false })])
      // Tools that the CLI started are in its process group.
      if (child.pid !== undefined) endGroup(child.pid)
      await exit
    },
  }
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
