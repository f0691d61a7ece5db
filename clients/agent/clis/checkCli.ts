import { execFile } from 'node:child_process'
import type { AgentCli } from '../operations.ts'
import { type CliCommand, programOf } from './cliCommand.ts'
import { findKnownCli } from './knownClis.ts'
import { readSignIn } from './signIn.ts'
import type { Surroundings } from './surroundings.ts'

/** Milliseconds for each command of a check. A stock CLI took more than ten seconds to print its version on a busy machine. */
const commandMs = 30_000

/** The status of a CLI before its first check. */
export function unchecked({ name, protocol }: CliCommand): AgentCli {
  return { name, protocol, healthy: false, problem: 'It has not been checked yet.' }
}

/**
 * A CLI is healthy if its program exists. `--version` only supplies the version. Whether an ACP CLI really supports ACP shows at its first
 * use. Starting it for a check could cost money or start a sign-in.
 */
export async function checkCli(cli: CliCommand, on: Surroundings): Promise<AgentCli> {
  const { name, protocol } = cli
  const program = programOf(cli.command)
  if (!(await isInstalled(program, on)))
    return { name, protocol, healthy: false, problem: `The program “${program}” is not found on this machine.` }
  const known = findKnownCli(cli.command)
  const version = known?.hasNoVersion ? undefined : await readVersion(program, on)
  const signIn = known && (await readSignIn(known, on))
  return {
    name,
    protocol,
    healthy: true,
    ...(version === undefined ? {} : { version }),
    ...(signIn === undefined ? {} : { signIn }),
  }
}

export async function isInstalled(program: string, on: Surroundings): Promise<boolean> {
  return (await shell('command -v -- "$1"', program, on)).ok
}

async function readVersion(program: string, on: Surroundings): Promise<string | undefined> {
  const asked = await shell('"$1" --version', program, on)
  return asked.ok ? /\d+(\.\d+)+\S*/.exec(asked.output)?.[0]?.slice(0, 60) : undefined
}

function shell(script: string, program: string, { env }: Surroundings): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      'sh',
      ['-c', script, 'sh', program],
      { timeout: commandMs, killSignal: 'SIGKILL', env, maxBuffer: 1024 * 1024 },
      (error, stdout) => resolve({ ok: !error, output: stdout }),
    )
    child.stdin?.end()
  })
}
