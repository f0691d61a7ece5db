/** An agent with a repository of two worktrees. It is restarted whenever it is killed. Its program comes from the control plane. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { makeRepository } from '../../../demo/repository.ts'
import { downloadAgent } from '../../../kit/program/agent/agentProgram.ts'
import { bareEnvironment } from '../../../kit/program/program.ts'
import type { KillPlant } from '../plants/killPlant.ts'
import { addRemote } from './builds.ts'

const work = resolve(import.meta.dirname, 'work.sh')

export interface AgentOptions {
  readonly url: string
  readonly token: string
  /** The folder of this agent: its program, state and repository are below it. */
  readonly folder: string
  readonly name: string
  readonly record: string
  readonly fault?: KillPlant | undefined
}

export const commandFor = (record: string, words: string): string => `sh '${work}' '${record}' '${words}'`

export class AgentKeeper {
  readonly #options: AgentOptions
  #child: ChildProcess | undefined
  #stopped = false
  #output = ''

  private constructor(options: AgentOptions) {
    this.#options = options
  }

  static async start(options: AgentOptions): Promise<AgentKeeper> {
    const { url, folder, fault } = options
    await mkdir(folder, { recursive: true })
    const { path } = await makeRepository(folder)
    await addRemote(path)
    await downloadAgent(url, folder, (served) => {
      const program = impatient(served)
      return fault?.inAgent?.(program) ?? program
    })
    const keeper = new AgentKeeper(options)
    keeper.#run()
    return keeper
  }

  get output(): string {
    return this.#output
  }

  /** Kills it, like a power failure. The commands that it started continue. The agent is restarted. */
  async kill(): Promise<void> {
    await end(this.#child, 'SIGKILL')
    this.#run()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await end(this.#child, 'SIGTERM')
  }

  #run(): void {
    if (this.#stopped) return
    const { url, token, folder, name, record } = this.#options
    const program = join(folder, 'signalbox-agent.mjs')
    const args = [program, '--server', url, '--state', join(folder, 'state'), '--root', folder, '--name', name]
    args.push('--cli', `work=plain:sh '${work}' '${record}'`)
    this.#child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...bareEnvironment(), SIGNALBOX_TOKEN: token },
    })
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (data: Buffer) => {
        this.#output = (this.#output + data.toString()).slice(-20_000)
      })
    }
  }
}

/**
 * The same program, but it reconnects after 1 s at most. With its own 10 s it would be disconnected most of the time if the
 * control plane is killed every other second, and little would run.
 */
function impatient(program: string): string {
  const patience = /mostMs: ?(?:1e4|10_?000)/g
  if (!patience.test(program))
    throw new Error(
      'the program of the agent does not have the expected back-off: see clients/agent/connection/connection.ts',
    )
  return program.replaceAll(patience, 'mostMs: 1_000')
}

async function end(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}
