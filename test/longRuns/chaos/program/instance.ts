/** One process of the control plane under a service manager, which restarts it whenever it ends. */
import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ports } from '../../../kit/program/ports.ts'
import { environmentOf } from '../../../kit/program/program.ts'

const root = resolve(import.meta.dirname, '../../../..')
const restartMs = 200
/** Far more than a start takes, for machines with other load. */
const startMs = 120_000
const keptOutput = 200_000

export interface InstanceOptions {
  readonly dataDir: string
  readonly ports: Ports
  readonly env: Readonly<Record<string, string>>
  /** The file with the milliseconds by which its wall clock is wrong. Each process has its own. */
  readonly clockFile: string
  readonly nodeOptions: readonly string[]
}

export class Instance {
  readonly url: string
  readonly agentUrl: string
  /** The times at which it was ready after a start, and at which it ended, with whether the harness ended it; `performance.now()`. */
  readonly starts: number[] = []
  readonly ends: { readonly at: number; readonly how: string; readonly wanted: boolean }[] = []
  readonly #options: InstanceOptions
  #child: ChildProcess | undefined
  #output = ''
  #stopped = false
  #wanted = false

  constructor(options: InstanceOptions) {
    this.#options = options
    this.url = `http://127.0.0.1:${options.ports.main}`
    this.agentUrl = `ws://127.0.0.1:${options.ports.agent}/graphql`
    process.once('exit', () => this.#child?.kill('SIGKILL'))
  }

  get output(): string {
    return this.#output
  }

  /** Resolves when it is ready. */
  async start(withinMs = startMs): Promise<void> {
    writeFileSync(this.#options.clockFile, '0')
    this.#run()
    await this.untilReady(withinMs)
  }

  /** @throws Error if it is not ready in time */
  async untilReady(withinMs: number): Promise<void> {
    for (const until = performance.now() + withinMs; performance.now() < until; await sleep(25)) {
      const answer = await fetch(`${this.url}/api/public/ready`, { signal: AbortSignal.timeout(1_000) }).catch(
        () => undefined,
      )
      await answer?.arrayBuffer().catch(() => undefined)
      if (answer?.ok) {
        this.starts.push(performance.now())
        return
      }
      if (this.starts.length === 0 && this.ends.length > 2) break
    }
    throw new Error(`${this.url} was not ready within ${withinMs} ms:\n${this.#output.slice(-3_000)}`)
  }

  /** Kills it, like a power failure. It is restarted. Resolves when it is ready. */
  async kill(): Promise<void> {
    this.#wanted = true
    this.#child?.kill('SIGKILL')
    await sleep(restartMs / 2)
    await this.untilReady(startMs)
  }

  suspend(): void {
    this.#child?.kill('SIGSTOP')
  }

  resume(): void {
    this.#child?.kill('SIGCONT')
  }

  /** Sets its wall clock to the right time plus `ms`. */
  shiftClock(ms: number): void {
    writeFileSync(this.#options.clockFile, String(ms))
    this.#child?.kill('SIGUSR2')
  }

  async stop(): Promise<void> {
    this.#stopped = true
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((done) => child.once('exit', done))
    child.kill('SIGCONT')
    child.kill('SIGTERM')
    const late = await Promise.race([ended.then(() => false), sleep(15_000, true, { ref: false })])
    if (late) child.kill('SIGKILL')
    await ended
  }

  #run(): void {
    const { dataDir, ports, env, clockFile, nodeOptions } = this.#options
    const base = environmentOf(dataDir, ports) as Record<string, string | undefined>
    const clock = new URL('shiftedClock.ts', import.meta.url).href
    const options = [base.NODE_OPTIONS ?? '', `--import=${clock}`, ...nodeOptions].join(' ')
    const child = spawn(process.execPath, ['--no-warnings', join(root, 'main.ts')], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...base, ...env, CHAOS_CLOCK: clockFile, NODE_OPTIONS: options },
    })
    this.#child = child
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (data: Buffer) => (this.#output = (this.#output + data.toString()).slice(-keptOutput)))
    }
    child.once('exit', (code, signal) => {
      this.ends.push({ at: performance.now(), how: signal ?? `code ${code}`, wanted: this.#wanted })
      this.#wanted = false
      if (!this.#stopped) setTimeout(() => this.#stopped || this.#run(), restartMs)
    })
  }
}
