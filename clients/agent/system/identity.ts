import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import * as v from 'valibot'

/** Identifies a process permanently. Process numbers are reused, but not together with the same start time and boot. */
export const ProcessIdentity = v.object({ pid: v.number(), startedAt: v.string(), bootId: v.string() })
export type ProcessIdentity = v.InferOutput<typeof ProcessIdentity>

const run = promisify(execFile)
let boot: Promise<string> | undefined

/**
 * Returns a value that changes at each boot of the machine. If the system has none, it returns `unknown`, and no reboot is ever
 * detected.
 */
export function bootId(): Promise<string> {
  boot ??= readBootId()
  return boot
}

async function readBootId(): Promise<string> {
  try {
    if (process.platform === 'linux') return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
    return (await run('sysctl', ['-n', 'kern.bootsessionuuid'])).stdout.trim()
  } catch {
    return 'unknown'
  }
}

/** Returns when the process began, in the system's own format. Returns undefined if there is no such process, or only its zombie. */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    if (process.platform === 'linux') {
      const stat = parseStat(await readFile(`/proc/${pid}/stat`, 'utf8'))
      return stat === undefined || stat.state === 'Z' || stat.state === 'X' ? undefined : stat.startedAt
    }
    const { stdout } = await run('ps', ['-o', 'state=,lstart=', '-p', String(pid)])
    const [state, ...start] = stdout.trim().split(/\s+/)
    return state === undefined || state.startsWith('Z') ? undefined : start.join(' ')
  } catch {
    return undefined
  }
}

export interface ProcStat {
  state: string
  parent: number
  group: number
  startedAt: string
}

/** Parses `/proc/<pid>/stat`. The name in parentheses may itself contain spaces and parentheses. */
export function parseStat(text: string): ProcStat | undefined {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, parent, group] = fields
  const startedAt = fields[19]
  if (state === undefined || startedAt === undefined) return undefined
  return { state, parent: Number(parent), group: Number(group), startedAt }
}

/** Returns undefined if the process has ended. */
export async function identify(pid: number): Promise<ProcessIdentity | undefined> {
  const startedAt = await startOf(pid)
  return startedAt === undefined ? undefined : { pid, startedAt, bootId: await bootId() }
}

/** Returns whether exactly this process still runs. */
export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  if (identity.bootId !== (await bootId())) return false
  return (await startOf(identity.pid)) === identity.startedAt
}
