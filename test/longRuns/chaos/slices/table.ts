/** The table at the end: for each kind and topology the injected faults, the duration of recovery, and the violations. */
import type { PlannedSlice } from './plan.ts'
import type { KeptSlice } from './state.ts'

const head = ['fault', 'topology', 'injected', 'acknowledged', 'recovery min', 'median', 'max', 'violations'] as const

export function table(plan: readonly PlannedSlice[], kept: readonly KeptSlice[]): string {
  const groups = [...new Set(plan.map(({ kind, topology }) => `${kind} ${topology}`))]
  const rows = groups.map((group) => {
    const planned = plan.filter(({ kind, topology }) => `${kind} ${topology}` === group)
    const results = kept
      .filter(({ planned: { kind, topology } }) => `${kind} ${topology}` === group)
      .map(({ result }) => result)
    const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
    const count = sum(results.map((one) => one.count))
    const [kind = '', topology = ''] = group.split(' ')
    return [
      kind,
      topology,
      `${count} of ${sum(planned.map((one) => one.count))}`,
      String(sum(results.map(({ acknowledged }) => acknowledged))),
      ...spread(results.flatMap(({ recoveries }) => recoveries)),
      String(sum(results.map(({ violations }) => violations.length))),
    ]
  })
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
  return [line(head), ...rows.map(line)].join('\n')
}

/** A fault after which work never continued counts as the longest. */
export function spread(recoveries: readonly (number | null)[]): readonly [string, string, string] {
  const sorted = recoveries.map((ms) => ms ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b)
  const shown = (ms: number | undefined): string => (ms === undefined ? '' : Number.isFinite(ms) ? `${ms} ms` : 'never')
  return [shown(sorted[0]), shown(sorted[sorted.length >> 1]), shown(sorted.at(-1))]
}
