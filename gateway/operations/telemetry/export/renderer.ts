/** Writes records to a file in the format of the job. */
import type { StoredTelemetry } from '../../../../spec/telemetry/record.ts'
import { CellWriter } from './cells.ts'
import { CsvWriter } from './csv.ts'
import type { FileWriter } from './fileWriter.ts'
import type { ExportJob } from './job.ts'
import { MarkdownWriter } from './markdown.ts'
import { PdfWriter } from './pdf/pdf.ts'
import { createSheet, formatClosing, readColumns, type Sheet } from './sheet.ts'

export class Renderer {
  readonly #cells: CellWriter
  readonly #sheet: Sheet
  readonly #file: FileWriter
  #count = 0

  constructor(job: ExportJob) {
    this.#cells = new CellWriter(job)
    this.#sheet = createSheet(job, this.#cells)
    this.#file = createFileWriter(this.#sheet, this.#cells)
  }

  add(records: readonly StoredTelemetry[]): void {
    const columns = readColumns(this.#sheet.job)
    for (const record of records) this.#file.row(columns.map((column) => this.#cells.cell(column, record)))
    this.#count += records.length
  }

  /** @param cut whether more records exist than the file contains */
  end(cut: boolean): Promise<Uint8Array> {
    return this.#file.end(formatClosing(this.#sheet, this.#count, cut, this.#cells), cut)
  }
}

function createFileWriter(sheet: Sheet, cells: CellWriter): FileWriter {
  switch (sheet.job.format) {
    case 'CSV':
      return new CsvWriter(sheet)
    case 'MARKDOWN':
      return new MarkdownWriter(sheet)
    case 'PDF':
      return new PdfWriter(sheet, cells)
  }
}
