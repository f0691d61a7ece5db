/**
 * Writes CSV (RFC 4180) in UTF-8, with a byte order mark for spreadsheets. An apostrophe before a cell that a spreadsheet would
 * execute as a formula makes the cell text. Blanks and line ends before the formula make no difference.
 */
import { stringify } from 'csv-stringify/sync'
import type { Cell } from './cells.ts'
import type { FileWriter } from './fileWriter.ts'
import type { Sheet } from './sheet.ts'

/** The characters with which a formula begins, also in full width, after any blanks. And the blanks that end a cell in some programs. */
const formula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u

export function escapeFormula({ text, isGenerated }: Cell): string {
  return !isGenerated && formula.test(text) ? `'${text}` : text
}

export class CsvWriter implements FileWriter {
  readonly #parts: string[]

  constructor({ headings }: Pick<Sheet, 'headings'>) {
    this.#parts = ['\ufeff', formatLine(headings.map((text) => escapeFormula({ text, isGenerated: false })))]
  }

  row(cells: readonly Cell[]): void {
    this.#parts.push(formatLine(cells.map(escapeFormula)))
  }

  async end(closing: string, cut: boolean): Promise<Uint8Array> {
    // A count would look like one more row of data, so the closing line is written only if rows are missing.
    if (cut) this.#parts.push(formatLine([closing]))
    return Buffer.from(this.#parts.join(''))
  }
}

function formatLine(cells: readonly string[]): string {
  return stringify([cells], { record_delimiter: 'windows', quoted_empty: cells.length === 1 })
}
