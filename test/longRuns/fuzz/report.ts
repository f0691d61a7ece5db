/** The results of a run, for people. */
import type { RunResult } from './run.ts'

export function report({
  cells,
  requests,
  valid,
  seconds,
  codes,
  secrets,
  heldBytes,
  memoryRatio,
  findings,
}: RunResult) {
  const lines: string[] = []
  const widest = Math.max(...cells.map(({ target }) => target.name.length))
  for (const { target, kind, reached, succeeded } of [...cells].sort((a, b) => a.reached - b.reached))
    lines.push(
      `${target.name.padEnd(widest)}  ${kind.padEnd(14)} ${String(reached).padStart(7)} ${String(succeeded).padStart(7)}`,
    )
  lines.unshift(`${'operation'.padEnd(widest)}  as             handled  granted`)
  lines.push(
    `${requests} requests in ${Math.round(seconds)} s (${Math.round(requests / seconds)} a second), ${valid} of them (${percent(valid / requests)}) reached a handler`,
    `codes: ${[...codes]
      .sort((a, b) => b[1] - a[1])
      .map(([code, count]) => `${code} ${count}`)
      .join(', ')}`,
    `${Math.round(secrets)} secrets searched for in every answer and line of the log; ${Math.round(heldBytes / 1e6)} MB held at the end, ${memoryRatio.toFixed(2)} × the memory after a tenth of the requests`,
  )
  for (const { operation, what, evidence, times } of findings.all)
    lines.push(`FOUND ${operation}: ${what}${times > 1 ? ` (${times} times)` : ''}\n  ${evidence}`)
  return lines
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
