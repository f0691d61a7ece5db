/** The output of every bench: the machine, then a table. A figure has no meaning without its machine. */
import { cpus, totalmem } from 'node:os'

export function printMachine(): void {
  const processors = cpus()
  const model = processors[0]?.model ?? 'unknown'
  console.log(
    `${processors.length} × ${model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`,
  )
}

export function printTable(rows: readonly Readonly<Record<string, string | number>>[]): void {
  const [first] = rows
  if (first === undefined) return
  const names = Object.keys(first)
  const cells = rows.map((row) => names.map((name) => format(row[name])))
  const widths = names.map((name, column) => Math.max(name.length, ...cells.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join(' | ')} |`
  console.log(
    [line(names), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...cells.map(line)].join('\n'),
  )
}

function format(value: string | number | undefined): string {
  if (typeof value !== 'number') return value ?? ''
  if (value >= 1_000) return Math.round(value).toLocaleString('en')
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
