import { spawn } from 'node:child_process'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface SpawnOptions {
  server: string
  stateDir: string
  roots: string[]
  /** Required for the first start only. */
  token?: string
  /** Values of `--cli`. */
  clis?: readonly string[]
  name?: string
  /** Added to the few variables that the agent inherits from this process. */
  env?: Record<string, string>
}

export interface SpawnedAgent {
  pid: number
  /** Stops the agent. Its commands continue, and the next agent follows them. Resolves when it has ended. */
  stop(): Promise<void>
  /** Its exit code, or null if a signal ended it. */
  exited: Promise<number | null>
}

/**
 * Variables that commands and coding CLIs may need. The agent runs any command of the control plane. So nothing else of this
 * process's environment may reach it, because it contains the control plane's secrets.
 */
const inherited =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_.*|TZ|TERM|TMPDIR|SSH_AUTH_SOCK|XDG_.*|https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY|NODE_EXTRA_CA_CERTS|GOOGLE_CLOUD_PROJECT|(ANTHROPIC|CLAUDE|OPENAI|CODEX|GEMINI|QWEN|CURSOR|OPENCODE|GOOSE)_.*)$/

/** Starts the agent as a child of this process. It stops automatically when this process ends, for any reason. */
export function spawnAgent({ server, stateDir, roots, token, clis = [], name, env = {} }: SpawnOptions): SpawnedAgent {
  const kept = Object.fromEntries(Object.entries(process.env).filter(([key]) => inherited.test(key)))
  // npm adds this program's tools at the front of PATH. Commands should find the tools of the machine.
  const path = process.env.PATH?.split(delimiter).filter(
    (folder) => !/node_modules[\\/]\.bin$|node-gyp-bin$/.test(folder),
  )
  const args = ['--server', server, '--state', stateDir, '--until-stdin-closes']
  for (const root of roots) args.push('--root', root)
  for (const cli of clis) args.push('--cli', cli)
  if (name !== undefined) args.push('--name', name)
  const entry = fileURLToPath(new URL('../main.ts', import.meta.url))
  const child = spawn(process.execPath, ['--no-warnings', entry, ...args], {
    // The token is passed in the environment, because all users of the machine can read arguments.
    env: { ...kept, PATH: path?.join(delimiter), ...env, ...(token === undefined ? {} : { SIGNALBOX_TOKEN: token }) },
    stdio: ['pipe', 'inherit', 'inherit'],
    // Ctrl+C in the terminal is for this process, which then stops the agent. Two signals would end the agent's jobs.
    detached: true,
  })
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('exit', (code) => resolve(code))
    child.once('error', reject)
  })
  exited.catch(() => {})
  return {
    pid: child.pid ?? -1,
    exited,
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}
