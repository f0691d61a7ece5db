/** The figures of a run, as lines for people. */
import type { ReaderRun } from './readerRun.ts'

export const minutes = (ms: number): string => (ms / 60_000).toFixed(1)
export const megabytes = (bytes: number): string => (bytes / 1024 ** 2).toFixed(0)

export function figureLines(runs: readonly Pick<ReaderRun, 'reader' | 'figures' | 'kept'>[]): readonly string[] {
  const rows = runs.map(({ reader, figures, kept }) => {
    const { inputs, read, ms, coverage, slowestMs, mostMemory, heldMemory, inProduct } = figures
    const percent = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`
    return [
      ...[reader.name, String(inputs), (inputs / Math.max(1, ms / 1_000)).toFixed(0), percent(read, inputs)],
      ...[percent(coverage.executed, coverage.all), String(kept), String(inProduct), slowestMs.toFixed(0)],
      ...[megabytes(mostMemory), megabytes(heldMemory)],
    ]
  })
  const table = [columns, ...rows]
  const widths = columns.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  return table.map((row) => row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  '))
}

const columns = ['reader', 'files', 'a second', 'read', 'coverage', 'kept', 'in product', 'slowest ms', 'MB', 'MB held']
