import { execFile } from 'node:child_process'
import { Refusal } from './jobs/refusal.ts'
import type { AgentCli } from './operations.ts'
import { childEnvironment } from './system/environment.ts'

/** A coding CLI on this machine. `command` is a line for `sh`. */
export interface CliCommand {
  name: string
  protocol: 'ACP' | 'PLAIN'
  command: string
}

/** Reads `acp:<command>` and `plain:<command>`. A command without a prefix is plain. */
export function readClis(clis: Record<string, string>): CliCommand[] {
  return Object.entries(clis).map(([name, value]) => {
    const [, protocol, command] = /^(acp|plain):\s*(.*)$/s.exec(value) ?? [undefined, 'plain', value]
    return { name, protocol: protocol === 'acp' ? 'ACP' : 'PLAIN', command: command ?? '' }
  })
}

/** Returns the CLI with the name, or the first if no name is given. Throws Refusal UNKNOWN_CLI with the available names. */
export function chooseCli(clis: readonly CliCommand[], name: string | undefined): CliCommand {
  const found = name === undefined ? clis[0] : clis.find((cli) => cli.name === name)
  if (found) return found
  const known = clis.map((cli) => cli.name).join(', ')
  throw new Refusal(
    'UNKNOWN_CLI',
    known === ''
      ? 'No coding CLI is set up on this machine; start its agent with --cli NAME=acp:COMMAND.'
      : `This machine has no coding CLI called “${name}”; it has: ${known}.`,
  )
}

/** The status of a CLI before its first check. */
export function unchecked({ name, protocol }: CliCommand): AgentCli {
  return { name, protocol, healthy: false, problem: 'It has not been checked yet.' }
}

/**
 * A CLI is healthy if its program exists. `--version` only supplies the version. Whether an ACP CLI really supports ACP shows at its first
 * use. Starting it for a check could cost money or start a sign-in.
 */
export async function checkCli(cli: CliCommand, timeoutMs = 10_000): Promise<AgentCli> {
  const { name, protocol } = cli
  const program = programOf(cli.command)
  const found = await shell('command -v -- "$1"', [program], timeoutMs)
  if (!found.ok)
    return { name, protocol, healthy: false, problem: `The program “${program}” is not found on this machine.` }
  const asked = await shell('"$1" --version', [program], timeoutMs)
  const version = asked.ok ? /\d+(\.\d+)+\S*/.exec(asked.output)?.[0]?.slice(0, 60) : undefined
  return { name, protocol, healthy: true, ...(version === undefined ? {} : { version }) }
}

/** Returns the program of a command line: the first word that is not `NAME=value`, unquoted. */
function programOf(command: string): string {
  const words = command.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g) ?? []
  const word = words.find((one) => !/^[A-Za-z_][A-Za-z0-9_]*=/.test(one)) ?? command
  return word.replace(/["']/g, '')
}

function shell(script: string, args: string[], timeout: number): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      'sh',
      ['-c', script, 'sh', ...args],
      { timeout, killSignal: 'SIGKILL', env: childEnvironment(process.env), maxBuffer: 1024 * 1024 },
      (error, stdout) => resolve({ ok: !error, output: stdout }),
    )
    child.stdin?.end()
  })
}
