/**
 * CSV as RFC 4180 has it, in UTF-8 with the mark by which spreadsheets know that. A cell that a spreadsheet would take for a formula
 * is made text by an apostrophe before it, whatever blanks or line ends stand in front.
 */
import { stringify } from 'csv-stringify/sync'
import type { Cell } from './cells.ts'
import type { FileWriter } from './fileWriter.ts'
import type { Sheet } from './sheet.ts'

/** What formulas begin with, in full width too, after any blanks; and the blanks that some programs take for the end of a cell. */
const formula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u

export function defused({ text, ours }: Cell): string {
  return !ours && formula.test(text) ? `'${text}` : text
}

export class CsvWriter implements FileWriter {
  readonly #parts: string[]

  constructor({ headings }: Pick<Sheet, 'headings'>) {
    this.#parts = ['\ufeff', line(headings.map((text) => defused({ text, ours: false })))]
  }

  row(cells: readonly Cell[]): void {
    this.#parts.push(line(cells.map(defused)))
  }

  async end(closing: string, cut: boolean): Promise<Uint8Array> {
    // A count would be one row more to whoever reads the rows; that some are missing has to be said.
    if (cut) this.#parts.push(line([closing]))
    return Buffer.from(this.#parts.join(''))
  }
}

function line(cells: readonly string[]): string {
  return stringify([cells], { record_delimiter: 'windows', quoted_empty: cells.length === 1 })
}
