/** Formats a record as the cells of a row, in the language and time zone of the export. */

import type { Json } from '../../../../spec/core/actor.ts'
import { catalog } from '../../../../spec/messages/catalog.ts'
import type { Locale } from '../../../../spec/pages/locales.ts'
import type { Column, PlainColumn } from '../../../../spec/telemetry/columns.ts'
import type { StoredTelemetry, TelemetryFields } from '../../../../spec/telemetry/record.ts'
import { escapeControls } from './escapeControls.ts'

export interface Cell {
  readonly text: string
  /** The text was made from a number or a time, so it needs no escaping. */
  readonly isGenerated: boolean
}

const emptyCell: Cell = Object.freeze({ text: '', isGenerated: true })
const times: ReadonlySet<PlainColumn> = new Set(['timestamp', 'observedTimestamp'])

export class CellWriter {
  readonly #dates: Intl.DateTimeFormat
  readonly #numbers: Intl.NumberFormat
  readonly #locale: Locale
  readonly #timeZone: string

  constructor({ locale, timeZone }: { readonly locale: Locale; readonly timeZone: string }) {
    this.#locale = locale
    this.#timeZone = timeZone
    this.#dates = new Intl.DateTimeFormat(locale, {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      fractionalSecondDigits: 3,
      hourCycle: 'h23',
    })
    this.#numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 20 })
  }

  /** The headings of times contain the time zone. */
  heading(column: Column): string {
    if (column.type === 'field') return escapeControls(`${column.of}.${column.key}`)
    const name = catalog[this.#locale].telemetryExport.columns[column.name]
    return times.has(column.name) ? `${name} (${this.#timeZone})` : name
  }

  cell(column: Column, record: StoredTelemetry): Cell {
    if (column.type === 'field') return this.#value(readField(record[column.of], column.key))
    const { name } = column
    if (name === 'timestamp' || name === 'observedTimestamp')
      return { text: this.date(record[name]), isGenerated: true }
    if (name === 'attributes' || name === 'resource')
      return Object.keys(record[name]).length === 0 ? emptyCell : this.#value(record[name])
    return this.#value(record[name])
  }

  /** @param at milliseconds since 1970 */
  date(at: number): string {
    return this.#dates.format(at)
  }

  number(value: number): string {
    return this.#numbers.format(value)
  }

  #value(value: Json | undefined): Cell {
    if (value === null || value === undefined) return emptyCell
    if (typeof value === 'number') return { text: this.number(value), isGenerated: true }
    return { text: escapeControls(typeof value === 'string' ? value : JSON.stringify(value)), isGenerated: false }
  }
}

/** An attribute may have the name of a property that every object inherits. */
function readField(fields: TelemetryFields, key: string): Json | undefined {
  return Object.hasOwn(fields, key) ? fields[key] : undefined
}
