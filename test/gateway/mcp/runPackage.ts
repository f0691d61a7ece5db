import { spawn } from 'node:child_process'
import { resolve } from 'node:path'

export interface Ended {
  readonly code: number | null
  readonly printed: string
  /** That, and what it complained of. */
  readonly output: string
}

/** Runs a program of a package to its end. */
export async function runProgram(path: string, args: readonly string[], cwd = process.cwd()): Promise<Ended> {
  const program = resolve(import.meta.dirname, '../../../node_modules', path)
  const child = spawn(process.execPath, [program, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  let output = ''
  child.stdout.on('data', (chunk) => (printed += String(chunk)))
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const code = await new Promise<number | null>((done) => child.on('close', done))
  return { code, printed, output }
}
