/** Computes the widths of the columns. Columns with a typical length get that width, and long columns share the rest. */
import type { Column, PlainColumn } from '../../../../../spec/telemetry/columns.ts'

/** A typical text of each column that has a limited length. */
const samples: Readonly<Partial<Record<PlainColumn, string>>> = {
  severityText: 'CRITICAL',
  severityNumber: '0000000',
  eventName: 'a_name_of_an_event',
  sessionId: '0000000000000000',
  traceId: '0000000000000000',
  spanId: '0000000000000000',
  recordId: '0000000000000000',
}

/** The parts of the remaining width that a long column gets. A column that is not listed, such as an attribute, gets one part. */
const parts: Readonly<Partial<Record<PlainColumn, number>>> = { body: 4, attributes: 3, resource: 3 }
/** The least width of one part, in points. */
const leastPart = 40

/**
 * @param inner the width of the whole table, in points. The returned widths sum up to it.
 * @param gap the space between two columns, which the widths include
 * @param time any time, formatted as in the file
 */
export function computeWidths(
  columns: readonly Column[],
  inner: number,
  gap: number,
  time: string,
  textWidth: (text: string) => number,
): readonly number[] {
  const known = columns.map((column) => {
    const sample = findSample(column, time)
    return sample === undefined ? 0 : textWidth(sample) + gap + 1
  })
  const shares = columns.map((column) => (findSample(column, time) === undefined ? countParts(column) : 0))
  const part = Math.max(leastPart, (inner - sumOf(known)) / Math.max(1, sumOf(shares)))
  const widths = known.map((width, index) => width + (shares[index] ?? 0) * part)
  return widths.map((width) => (width * inner) / sumOf(widths))
}

function findSample(column: Column, time: string): string | undefined {
  if (column.type === 'field') return undefined
  return column.name === 'timestamp' || column.name === 'observedTimestamp'
    ? time.replace(/\d/g, '0')
    : samples[column.name]
}

function countParts(column: Column): number {
  return (column.type === 'plain' ? parts[column.name] : undefined) ?? 1
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0)
}
