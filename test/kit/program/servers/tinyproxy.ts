/** Debian's Tinyproxy as the proxy through which programs of a company network reach servers. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../ports.ts'
import { until } from '../until.ts'

export interface Tinyproxy {
  /** Host and port. */
  readonly address: string
  /** The first lines of the requests: `CONNECT localhost:443 HTTP/1.1`. */
  requests(): readonly string[]
  stop(): Promise<void>
}

/** @param user the only user who may use it, as `name password`. Everyone if it is omitted */
export async function startTinyproxy(user?: string): Promise<Tinyproxy> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-tinyproxy-'))
  const port = await freePort()
  const file = join(folder, 'tinyproxy.conf')
  const lines = [
    ...['Listen 127.0.0.1', `Port ${port}`, 'Timeout 60', 'MaxClients 20', 'LogLevel Connect'],
    ...(user === undefined ? [] : [`BasicAuth ${user}`]),
  ]
  await writeFile(file, `${lines.join('\n')}\n`)
  const child = spawn('tinyproxy', ['-d', '-c', file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve())
  })
  let output = ''
  child.stdout.on('data', (data: Buffer) => (output += data.toString()))
  await Promise.race([
    ended.then(() => Promise.reject(new Error(`Tinyproxy has ended: ${output}`))),
    until('Tinyproxy', async () => (await isOpen(port)) || undefined),
  ])
  return {
    address: `127.0.0.1:${port}`,
    requests: () => [...output.matchAll(/Request \(file descriptor \d+\): (.*)$/gm)].map(([, line = '']) => line),
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function isOpen(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (is: boolean) => {
      socket.destroy()
      resolve(is)
    }
    socket.on('connect', () => end(true)).on('error', () => end(false))
  })
}
