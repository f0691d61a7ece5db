import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { childEnvironment } from './environment.ts'

/** Runs git. Text from users is passed only after `--` or `--end-of-options`. */

export class GitError extends Error {
  override name = 'GitError'
  readonly exitCode: number | undefined
  constructor(message: string, exitCode: number | undefined) {
    super(message)
    this.exitCode = exitCode
  }
}

/** The environment of git: it must never prompt, and never take a lock for a read. */
export const gitEnvironment = { GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' }

/** Returns the standard output. Throws GitError with git's first line of error output, or after `timeoutMs`. */
export function git(folder: string, args: string[], timeoutMs = 20_000): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = {
      cwd: folder,
      env: { ...childEnvironment(process.env), ...gitEnvironment },
      timeout: timeoutMs,
      killSignal: 'SIGKILL' as const,
      maxBuffer: 16 * 1024 * 1024,
    }
    execFile('git', args, options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout)
      const words = stderr.trim().split('\n')[0]
      const reason = error.killed ? `git ${args[0]} took longer than ${timeoutMs / 1000} s` : words || error.message
      reject(new GitError(reason, typeof error.code === 'number' ? error.code : undefined))
    })
  })
}

export interface StreamOptions {
  /** Added to the environment of git. */
  readonly env: Readonly<Record<string, string>>
  /** The standard input. */
  readonly input?: Buffer
  /** The time for the whole output. The default is 20,000. */
  readonly timeoutMs?: number
  /** Ends git when it aborts. */
  readonly signal?: AbortSignal | undefined
}

/** Yields the standard output, which may be of any size, in parts. Throws GitError like `git`. If the caller stops early, git is ended. */
export async function* gitStream(folder: string, args: string[], options: StreamOptions): AsyncGenerator<Buffer> {
  const { env, input, timeoutMs = 20_000, signal: stop } = options
  const child = spawn('git', args, {
    cwd: folder,
    env: { ...childEnvironment(process.env), ...gitEnvironment, ...env },
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    ...(stop ? { signal: stop } : {}),
  })
  const closed = once(child, 'close')
  // The error is thrown below, after the output.
  closed.catch(() => {})
  // Git may end before it has read everything.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  let complaint = ''
  child.stderr.on('data', (data: Buffer) => {
    if (complaint.length < 1_000) complaint += data.toString()
  })
  try {
    yield* child.stdout as AsyncIterable<Buffer>
    const [code, signal] = (await closed) as [number | null, string | null]
    if (code === 0) return
    const words = complaint.trim().split('\n')[0]
    throw new GitError(
      signal ? `git ${args[0]} was ended by ${signal}` : words || `exit code ${code}`,
      code ?? undefined,
    )
  } finally {
    child.kill('SIGKILL')
  }
}

/** Returns one line of output, or undefined if git fails with an exit code. */
export async function gitLine(folder: string, args: string[]): Promise<string | undefined> {
  try {
    return (await git(folder, args)).trim() || undefined
  } catch (error) {
    if (error instanceof GitError && error.exitCode !== undefined) return undefined
    throw error
  }
}

/** Returns the version of git if it is older than 2.`minor`. */
export async function readOlderVersion(folder: string, minor: number): Promise<string | undefined> {
  const version = (await gitLine(folder, ['version'])) ?? ''
  const [, major = 0, its = 0] = /(\d+)\.(\d+)/.exec(version)?.map(Number) ?? []
  return major > 2 || (major === 2 && its >= minor) ? undefined : version
}

/**
 * Removes user and password from an address. An address that is not a URL (`git@host:path`, a folder) cannot contain a password and
 * stays unchanged.
 */
export function withoutCredentials(address: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(address)) return address
  if (!URL.canParse(address)) return address.replace(/^([^/]+:\/\/)[^/]*@/, '$1')
  const url = new URL(address)
  // For ssh the user is part of the address and not a secret.
  if (url.protocol !== 'ssh:') url.username = ''
  url.password = ''
  for (const name of [...url.searchParams.keys()])
    if (/token|key|secret|password/i.test(name)) url.searchParams.delete(name)
  return url.toString()
}
