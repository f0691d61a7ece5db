/** A table of GitHub's Markdown. What came from outside is text in it and nothing else: no link, no HTML, no other cell. */
import type { Cell } from './cells.ts'
import type { FileWriter } from './fileWriter.ts'
import type { Sheet } from './sheet.ts'

/** What means something in Markdown. Without its colon a URL is no link by itself, nor a mail address without its sign. */
const meaning = /[\\`*_[\]<>|~&@#!$]|:(?=\/\/|[\w+-]+:)/g

export function escaped(text: string): string {
  return text
    .replace(meaning, '\\$&')
    .replace(/www\./gi, (www) => `${www.slice(0, 3)}\\.`)
    .replace(/[\t ]+/g, ' ')
    .trim()
    .replaceAll('\n', '<br>')
}

export class MarkdownWriter implements FileWriter {
  readonly #lines: string[]

  constructor({ title, facts, headings }: Sheet) {
    this.#lines = [
      `# ${title}`,
      '',
      ...facts.map(([name, text]) => `- ${name}: ${escaped(text)}`),
      '',
      row(headings.map(escaped)),
      row(headings.map(() => '---')),
    ]
  }

  row(cells: readonly Cell[]): void {
    this.#lines.push(row(cells.map(({ text, ours }) => (ours ? text : escaped(text)))))
  }

  async end(closing: string): Promise<Uint8Array> {
    return Buffer.from(`${[...this.#lines, '', closing].join('\n')}\n`)
  }
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
