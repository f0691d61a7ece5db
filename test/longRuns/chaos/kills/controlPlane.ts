/** The program under a service manager, which restarts it whenever it ends. The program can be killed, and so can its database. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ports } from '../../../kit/program/ports.ts'
import { type Program, type ProgramOptions, startProgram } from '../../../kit/program/program.ts'

/** The most time in which the program must detect that its database has died, ms. */
const noticeMs = 20_000
const restartMs = 100

export class ControlPlane {
  readonly url: string
  /** For each kill, the milliseconds until the program was ready again. */
  readonly recoveries: { readonly what: 'program' | 'database'; readonly ms: number }[] = []
  /** Wrong behavior that a service manager would notice. */
  readonly misdeeds: string[] = []
  readonly #options: ProgramOptions
  #program: Program | undefined
  #stopped = false

  constructor(dataDir: string, ports: Ports, env: Readonly<Record<string, string>>) {
    this.#options = { dataDir, ports, env, readyWithin: 40_000 }
    this.url = `http://127.0.0.1:${ports.main}`
  }

  async start(): Promise<void> {
    this.#program = await startProgram(this.#options)
  }

  /**
   * SIGKILL, then a start. Resolves when the program is ready again.
   * @param inStart ms after which that start is killed too, if it is not ready by then
   */
  async kill(inStart?: number): Promise<void> {
    const began = performance.now()
    await this.#program?.kill()
    if (inStart !== undefined) {
      const ready = await startProgram({ ...this.#options, readyWithin: inStart }).catch(() => undefined)
      await ready?.kill()
    }
    await this.#again()
    this.recoveries.push({ what: 'program', ms: performance.now() - began })
  }

  /** Sends SIGKILL only to PostgreSQL. The program recovers by itself, or ends with one sentence and is restarted. */
  async killDatabase(): Promise<void> {
    const program = this.#program
    if (program === undefined) return
    const began = performance.now()
    const said = program.output().length
    process.kill(await this.#postmaster(), 'SIGKILL')
    const ended = await Promise.race([
      program.exited.then((code) => ({ code })),
      sleep(noticeMs, undefined, { ref: false }),
    ])
    if (ended === undefined) {
      this.misdeeds.push(`the program continued for ${noticeMs} ms without its database`)
      await program.kill()
    } else if (ended.code === 0) this.misdeeds.push('the program ended with exit code 0 after its database had ended')
    if (!/PostgreSQL/.test(program.output().slice(said))) {
      this.misdeeds.push(
        `the program did not report that PostgreSQL had ended: ${program.output().slice(said).slice(-500)}`,
      )
    }
    await this.#again()
    this.recoveries.push({ what: 'database', ms: performance.now() - began })
  }

  async stop(): Promise<void> {
    this.#stopped = true
    const code = await this.#program?.stop()
    if (code !== 0) this.misdeeds.push(`a stop of the program ended with exit code ${code}`)
  }

  get output(): string {
    return this.#program?.output() ?? ''
  }

  async #again(): Promise<void> {
    if (this.#stopped) return
    await sleep(restartMs)
    this.#program = await startProgram(this.#options)
  }

  async #postmaster(): Promise<number> {
    return Number.parseInt(await readFile(join(this.#options.dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
  }
}
