/** The shell blocks of one document, in order: variables and functions of a block are there in the next ones, as in a reader's terminal. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

export interface ShellOptions {
  /** The file with its state between blocks. */
  readonly folder: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

const withinMs = 60_000

export class Shell {
  readonly #options: ShellOptions
  readonly #groups: number[] = []

  constructor(options: ShellOptions) {
    this.#options = options
  }

  /** Returns its standard output. Rejects if a command failed. */
  async run(script: string): Promise<string> {
    const { folder, cwd, env } = this.#options
    const state = join(folder, 'shell-state')
    const keep = `trap 'code=$?; { declare -p; declare -f; } 2>/dev/null | grep -v "^declare -[a-zA-Z-]*r" > "${state}"; exit $code' EXIT`
    const text = `[ -f "${state}" ] && . "${state}" 2>/dev/null; set -eu -o pipefail; ${keep}\n${script}\n`
    const child = spawn('bash', ['-c', text], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that what a block leaves in the background can be ended.
      detached: true,
    })
    if (child.pid !== undefined) this.#groups.push(child.pid)
    let output = ''
    let errors = ''
    child.stdout.on('data', (data: Buffer) => (output += data.toString()))
    child.stderr.on('data', (data: Buffer) => (errors += data.toString()))
    const timer = setTimeout(() => child.kill('SIGKILL'), withinMs)
    const code = await new Promise<number | null>((done) => child.once('exit', (exit) => done(exit)))
    clearTimeout(timer)
    if (code !== 0) throw new Error(`the shell ended with ${code}:\n${script}\n${output}${errors}`)
    return output
  }

  /** Ends what blocks have left in the background. */
  close(): void {
    for (const group of this.#groups.splice(0)) {
      try {
        process.kill(-group, 'SIGKILL')
      } catch {
        // Nothing was left.
      }
    }
  }
}
