/** Debian's HAProxy as a reverse proxy of a server, with buffered requests and short time-outs. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../ports.ts'
import { until } from '../until.ts'

const program = '/usr/sbin/haproxy'

export interface HaproxyRequest {
  readonly method: string
  readonly path: string
  readonly status: number
  /** The state of the session at its end: `sH` is a time-out of the server, `cD` one of the client. See HAProxy's manual, 8.5. */
  readonly state: string
}

export interface Haproxy {
  readonly port: number
  /** The requests that have ended. */
  requests(): readonly HaproxyRequest[]
  stop(): Promise<void>
}

export interface HaproxyOptions {
  /** The port of the server. */
  readonly port: number
  /** The time-out of a silent client and of a silent server, ms. */
  readonly idleMs: number
}

export async function startHaproxy({ port, idleMs }: HaproxyOptions): Promise<Haproxy> {
  if (!existsSync(program)) throw new Error('This machine has no HAProxy. Install it: apt-get install haproxy')
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-haproxy-'))
  const own = await freePort()
  const file = join(folder, 'haproxy.cfg')
  await writeFile(
    file,
    `global
  maxconn 256
  log stdout format raw local0 info
defaults
  mode http
  log global
  log-format "request %HM %HPO %ST %ts"
  option http-buffer-request
  timeout connect 2s
  timeout client ${idleMs}ms
  timeout server ${idleMs}ms
  timeout http-request ${idleMs}ms
frontend front
  bind 127.0.0.1:${own}
  default_backend back
backend back
  server one 127.0.0.1:${port}
`,
  )
  const child = spawn(program, ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let output = ''
  child.stdout.on('data', (data: Buffer) => (output += data.toString()))
  await until('HAProxy', async () => (await fetch(`http://127.0.0.1:${own}/api/public/health`)).ok || undefined)
  return {
    port: own,
    requests: () =>
      [...output.matchAll(/^request (\S+) (\S+) (-?\d+) (\S+)$/gm)].map(
        ([, method = '', path = '', status, state = '']) => ({
          ...{ method, path, status: Number(status), state },
        }),
      ),
    async stop() {
      child.kill('SIGTERM')
      // It waits for open connections.
      const late = setTimeout(() => child.kill('SIGKILL'), 2_000)
      await ended
      clearTimeout(late)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
