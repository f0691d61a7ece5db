/** Writes a PDF in landscape A4: a title with the filter, a table whose headings are repeated on each page, and page numbers. */
import PDFDocument from 'pdfkit'
import { format } from '../../../../../spec/messages/format.ts'
import type { Cell, CellWriter } from '../cells.ts'
import type { FileWriter } from '../fileWriter.ts'
import { readColumns, type Sheet } from '../sheet.ts'
import { boldFile, missingSign, regularFile, Typeface } from './typeface.ts'
import { computeWidths } from './widths.ts'
import { wrap } from './wrap.ts'

const margin = 36
const size = 8
const lineHeight = 11.5
const gap = 8
/** The distance between a row of the table and its rules. */
const padding = 3
const footHeight = 20
const grey = '#666666'
/** Longer cells are cut. The other formats have complete cells. */
const cellCharacters = 1_000
/** The most lines of a heading: headings are repeated on each page and must leave room for rows. */
const headingLines = 6

type Lines = readonly (readonly string[])[]

export class PdfWriter implements FileWriter {
  readonly #sheet: Sheet
  readonly #cells: CellWriter
  readonly #document: PDFKit.PDFDocument
  readonly #chunks: Buffer[] = []
  readonly #regular = new Typeface(regularFile)
  readonly #bold = new Typeface(boldFile)
  readonly #widths: readonly number[]
  /** From the top of the page, in points. */
  #y = margin

  constructor(sheet: Sheet, writer: CellWriter) {
    this.#sheet = sheet
    this.#cells = writer
    this.#document = new PDFDocument({
      size: 'A4',
      layout: 'landscape',
      margin,
      // Page numbers contain the number of pages, so they are written last.
      bufferPages: true,
      lang: sheet.job.locale,
      displayTitle: true,
      info: { Title: sheet.title, Producer: 'Signalbox', Creator: 'Signalbox', CreationDate: new Date(sheet.job.at) },
    })
    this.#document.on('data', (chunk: Buffer) => this.#chunks.push(chunk))
    // Fonts are registered by a name of ours. A font in the options would be read again for each text.
    this.#document.registerFont('regular', this.#regular.data).registerFont('bold', this.#bold.data)
    const time = writer.date(sheet.job.at)
    const textWidth = (text: string): number => this.#regular.textWidth(text, size)
    this.#widths = computeWidths(readColumns(sheet.job), this.#inner, gap, time, textWidth)
    this.#head()
  }

  row(cells: readonly Cell[]): void {
    this.#lines(this.#wrapped(cells.map(({ text }) => text)), 'regular')
    this.#rule()
  }

  async end(closing: string): Promise<Uint8Array> {
    this.#y += padding
    this.#paragraph(closing, 'regular', size)
    if (this.#regular.hasMissing)
      this.#paragraph(format(this.#sheet.messages.replaced, { sign: missingSign }), 'regular', size)
    this.#foot()
    const ended = new Promise((resolve) => this.#document.once('end', resolve))
    this.#document.end()
    await ended
    return Buffer.concat(this.#chunks)
  }

  get #inner(): number {
    return this.#document.page.width - 2 * margin
  }

  get #bottom(): number {
    return this.#document.page.height - margin - footHeight
  }

  #head(): void {
    this.#paragraph(this.#sheet.title, 'bold', 16)
    for (const [name, text] of this.#sheet.facts) this.#paragraph(`${name}: ${text}`, 'regular', size)
    this.#y += padding
    this.#headings()
  }

  #headings(): void {
    const lines = this.#wrapped(this.#sheet.headings).map((one) => one.slice(0, headingLines))
    this.#y += padding
    this.#draw(lines, 0, Math.max(...lines.map(({ length }) => length)), 'bold')
    this.#rule()
  }

  /** A row may be higher than the rest of the page, and higher than a page. */
  #lines(lines: Lines, font: 'regular' | 'bold'): void {
    const height = Math.max(1, ...lines.map(({ length }) => length))
    for (let from = 0; from < height; ) {
      const fit = Math.floor((this.#bottom - this.#y - 2 * padding) / lineHeight)
      // A part of a row has at least three lines.
      if (fit < Math.min(height - from, 3)) {
        this.#newPage()
        continue
      }
      const to = Math.min(height, from + fit)
      this.#y += padding
      this.#draw(lines, from, to, font)
      from = to
    }
  }

  #newPage(): void {
    this.#document.addPage()
    this.#y = margin
    this.#headings()
  }

  #draw(lines: Lines, from: number, to: number, font: 'regular' | 'bold'): void {
    let x = margin
    for (const [index, column] of lines.entries()) {
      for (const [at, text] of column.slice(from, to).entries())
        this.#text(text, x, this.#y + at * lineHeight, font, size)
      x += this.#widths[index] ?? 0
    }
    this.#y += (to - from) * lineHeight
  }

  #rule(): void {
    this.#y += padding
    this.#document
      .moveTo(margin, this.#y)
      .lineTo(margin + this.#inner, this.#y)
      .lineWidth(0.25)
      .stroke(grey)
  }

  #paragraph(text: string, font: 'regular' | 'bold', height: number): void {
    const face = font === 'bold' ? this.#bold : this.#regular
    for (const line of wrap(face.replaceMissing(text), this.#inner, (one) => face.width(one, height))) {
      if (this.#y + height * 1.5 > this.#bottom) this.#newPage()
      this.#text(line, margin, this.#y, font, height)
      this.#y += height * 1.5
    }
  }

  #text(text: string, x: number, y: number, font: 'regular' | 'bold', height: number): void {
    if (text === '') return
    this.#document.font(font).fontSize(height).fillColor('black').text(text, x, y, { lineBreak: false })
  }

  #wrapped(texts: readonly string[]): Lines {
    return texts.map((text, index) => {
      const cut = text.length > cellCharacters ? `${text.slice(0, cellCharacters).toWellFormed()}…` : text
      const most = (this.#widths[index] ?? 0) - gap
      return wrap(this.#regular.replaceMissing(cut), most, (one) => this.#regular.width(one, size))
    })
  }

  #foot(): void {
    const { start, count } = this.#document.bufferedPageRange()
    const { title, messages } = this.#sheet
    for (let page = start; page < start + count; page++) {
      this.#document.switchToPage(page)
      const y = this.#document.page.height - margin - size
      const number = format(messages.page, {
        page: this.#cells.number(page + 1),
        pages: this.#cells.number(count),
      })
      this.#text(title, margin, y, 'regular', size)
      this.#text(number, margin + this.#inner - this.#regular.textWidth(number, size), y, 'regular', size)
    }
  }
}
