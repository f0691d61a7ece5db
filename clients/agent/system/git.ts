import { execFile } from 'node:child_process'
import { childEnvironment } from './environment.ts'

/** Runs git. Text from users is passed only after `--` or `--end-of-options`. */

class GitError extends Error {
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

/** Returns one line of output, or undefined if git fails with an exit code. */
export async function gitLine(folder: string, args: string[]): Promise<string | undefined> {
  try {
    return (await git(folder, args)).trim() || undefined
  } catch (error) {
    if (error instanceof GitError && error.exitCode !== undefined) return undefined
    throw error
  }
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
