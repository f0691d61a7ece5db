/** Divides reports, so that each message stays within the limits of the control plane, whatever the number of worktrees. */
import type { CodebaseReport, WorktreeReport } from '../operations.ts'

/** The limits of one `reportCodebases`. */
const worktreesAtOnce = 500
const codebasesAtOnce = 200
/** The maximum bytes of the worktrees of one part, and of the reports in one message. A message must stay below 1 MiB. */
const partBytes = 128 * 1024
const messageBytes = 256 * 1024

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ud800-\udfff]/u

/** Returns whether the control plane accepts the path. */
export function isReportable(path: string): boolean {
  return path.length <= 1_024 && !controls.test(path)
}

/**
 * Returns the report unchanged, or several reports of one codebase. Each part lists the worktrees between two paths, in the order of
 * their UTF-8 bytes. So the control plane can detect removed worktrees without storing anything between two parts.
 */
export function partsOf(report: CodebaseReport): CodebaseReport[] {
  const lists = divided(report.worktrees)
  if (lists.length < 2) return [report]
  return lists.map((worktrees, index) => {
    const { branches, ...state } = report
    const after = lists[index - 1]?.at(-1)?.path
    const upTo = index === lists.length - 1 ? undefined : worktrees.at(-1)?.path
    return {
      ...state,
      ...(index === 0 && { branches }),
      worktrees,
      ...(after !== undefined && { worktreesAfter: after }),
      ...(upTo !== undefined && { worktreesUpTo: upTo }),
    }
  })
}

function divided(worktrees: readonly WorktreeReport[]): WorktreeReport[][] {
  const sorted = worktrees
    .map((worktree) => ({ worktree, path: Buffer.from(worktree.path) }))
    .sort((a, b) => Buffer.compare(a.path, b.path))
  const lists: WorktreeReport[][] = []
  let bytes = 0
  for (const { worktree } of sorted) {
    const size = sizeOf(worktree)
    const last = lists.at(-1)
    if (last === undefined || last.length === worktreesAtOnce || bytes + size > partBytes) {
      lists.push([worktree])
      bytes = size
    } else {
      last.push(worktree)
      bytes += size
    }
  }
  return lists
}

/** Collects reports and sends them when a message is full, so that not all reports of a large machine are in memory at once. */
export class MessageFiller {
  private readonly send: (reports: CodebaseReport[]) => Promise<void>
  private reports: CodebaseReport[] = []
  private bytes = 0

  constructor(send: (reports: CodebaseReport[]) => Promise<void>) {
    this.send = send
  }

  async add(report: CodebaseReport): Promise<void> {
    const size = sizeOf(report)
    if (this.bytes + size > messageBytes || this.reports.length === codebasesAtOnce) await this.flush()
    this.reports.push(report)
    this.bytes += size
  }

  async flush(): Promise<void> {
    const { reports } = this
    this.reports = []
    this.bytes = 0
    if (reports.length > 0) await this.send(reports)
  }
}

function sizeOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value))
}
