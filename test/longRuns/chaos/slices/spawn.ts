/** Runs a slice in a process of its own, and in a mount namespace of its own if it needs one. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { faultKind } from '../faults/kinds.ts'
import type { RunOptions } from './run.ts'
import type { SliceResult } from './slice.ts'

/** A slice that takes these seconds longer than the estimate has hung. */
const graceSeconds = 240

/** A slice that ends without a result counts as a violation of its own, since its result is unknown. */
export async function spawnSlice(options: RunOptions, show: boolean, signal?: AbortSignal): Promise<SliceResult> {
  const folder = mkdtempSync(join(tmpdir(), 'chaos-slice-'))
  const file = join(folder, 'result.json')
  const script = resolve(import.meta.dirname, 'run.ts')
  const args = [process.execPath, '--no-warnings', script, JSON.stringify(options), file]
  const [command = '', ...rest] = needsMount(options) ? [...namespace(), ...args] : args
  try {
    const began = performance.now()
    const child = spawn(command, rest, {
      stdio: ['ignore', show ? 'inherit' : 'ignore', 'pipe'],
      env: { NODE_COMPILE_CACHE: join(tmpdir(), 'compiled'), ...process.env },
    })
    let said = ''
    child.stderr?.on('data', (data: Buffer) => (said = (said + data.toString()).slice(-4_000)))
    const end = (): void => void child.kill('SIGTERM')
    signal?.addEventListener('abort', end)
    const timer = setTimeout(end, (options.estimate * 2 + graceSeconds) * 1_000)
    const how = await new Promise<string>((done) => child.once('exit', (code, by) => done(by ?? `code ${code}`)))
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as SliceResult
    signal?.throwIfAborted()
    const what = `the slice ended with ${how} and without a result: ${said.slice(-1_500)}`
    const nothing = { count: 0, recoveries: [], acknowledged: 0, uncertain: 0, outputs: [] }
    return { ...nothing, violations: [{ checker: 'harness', what }], seconds: (performance.now() - began) / 1_000 }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function needsMount({ faults }: RunOptions): boolean {
  return typeof faults !== 'number' && faults.some(({ kind }) => faultKind(kind).needs === 'disk')
}

/** Mounts in the namespace end with the process, for whatever reason it ends. */
function namespace(): readonly string[] {
  return process.getuid?.() === 0 ? ['unshare', '--mount'] : ['unshare', '--user', '--map-root-user', '--mount']
}

/** Whether a slice can mount file systems on this machine. A container may forbid it. */
export function canMount(): boolean {
  const [command = '', ...args] = namespace()
  return spawnSync(command, [...args, 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]).status === 0
}
