/** Suspends and continues a process with all its children, like a machine that hangs. */
import { readdirSync, readFileSync } from 'node:fs'

/** The process and all its descendants. Linux only. */
export function processTree(root: number): readonly number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid)) continue
    const parent = parentOf(pid)
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid])
  }
  const all = [root]
  for (const pid of all) all.push(...(children.get(pid) ?? []))
  return all
}

/** The processes that are suspended now. When the harness ends, it must leave no suspended process. */
const standing = new Set<number>()
process.once('exit', () => thaw([...standing]))

/** Parents first, so that no parent creates children that continue. */
export function freeze(root: number): readonly number[] {
  const frozen = new Set<number>()
  for (let before = -1; before < frozen.size; ) {
    before = frozen.size
    for (const pid of processTree(root)) {
      if (!frozen.has(pid)) signal(pid, 'SIGSTOP')
      frozen.add(pid)
      standing.add(pid)
    }
  }
  return [...frozen]
}

export function thaw(pids: readonly number[]): void {
  for (const pid of [...pids].reverse()) {
    signal(pid, 'SIGCONT')
    standing.delete(pid)
  }
}

function parentOf(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name is in parentheses and may contain any characters.
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended meanwhile.
  }
}
