/** How wide the columns of a page are: what has a known length gets that, and what is long shares the rest. */
import type { Column, PlainColumn } from '../../../../../spec/telemetry/columns.ts'

/** A typical text of a column; one without is as long as it likes. */
const samples: Readonly<Partial<Record<PlainColumn, string>>> = {
  severityText: 'CRITICAL',
  severityNumber: '0000000',
  eventName: 'a_name_of_an_event',
  sessionId: '0000000000000000',
  traceId: '0000000000000000',
  spanId: '0000000000000000',
  recordId: '0000000000000000',
}

/** How much of what is left a long column takes; one that is not named here, a single attribute, takes one part. */
const parts: Readonly<Partial<Record<PlainColumn, number>>> = { body: 4, attributes: 3, resource: 3 }
/** Of one part, in points. */
const leastPart = 40

/**
 * @param inner of the whole table, in points; what is returned sums up to it
 * @param gap between two columns, within the widths
 * @param time any, as the file writes it
 */
export function widthsOf(
  columns: readonly Column[],
  inner: number,
  gap: number,
  time: string,
  textWidth: (text: string) => number,
): readonly number[] {
  const known = columns.map((column) => {
    const sample = sampleOf(column, time)
    return sample === undefined ? 0 : textWidth(sample) + gap + 1
  })
  const shares = columns.map((column) => (sampleOf(column, time) === undefined ? partsOf(column) : 0))
  const part = Math.max(leastPart, (inner - sumOf(known)) / Math.max(1, sumOf(shares)))
  const widths = known.map((width, index) => width + (shares[index] ?? 0) * part)
  return widths.map((width) => (width * inner) / sumOf(widths))
}

function sampleOf(column: Column, time: string): string | undefined {
  if (column.type === 'field') return undefined
  return column.name === 'timestamp' || column.name === 'observedTimestamp'
    ? time.replace(/\d/g, '0')
    : samples[column.name]
}

function partsOf(column: Column): number {
  return (column.type === 'plain' ? parts[column.name] : undefined) ?? 1
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0)
}
