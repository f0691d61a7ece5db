/**
 * Ends the run of a test file that does not end, with all processes that it started. Otherwise one process that is left over holds a run on a
 * CI server until the server's own limit, and nothing is printed about which file it was.
 */
import { execFileSync } from 'node:child_process'

interface ProcessRow {
  readonly pid: number
  readonly parent: number
  readonly command: string
}

/** @returns whether there was a process to end */
export function killRunOf(file: string): boolean {
  const rows = listProcesses()
  const root = rows.find(({ parent, command }) => parent === process.pid && command.includes(file))
  if (root === undefined) return false
  for (const pid of withDescendants(root.pid, rows))
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  return true
}

/** The process and all that it and its children started, the process first. */
export function withDescendants(pid: number, rows: readonly ProcessRow[]): readonly number[] {
  return [pid, ...rows.filter(({ parent }) => parent === pid).flatMap((child) => withDescendants(child.pid, rows))]
}

function listProcesses(): readonly ProcessRow[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  return lines.split('\n').flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return command === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }]
  })
}
