/** A table of GitHub's Markdown. What came from outside is text in it and nothing else: no link, no HTML, no other cell. */
import type { Cell } from './cells.ts'
import type { FileWriter } from './fileWriter.ts'
import type { Sheet } from './sheet.ts'

/** What means something in Markdown, or to those who show it: `:name:` is a picture to some. */
const meaning = /[\\`*_[\]<>|~&#!$]|:(?=[a-z+-][\w+-]*:)/gi

/**
 * What becomes a link by itself: URLs and mail addresses. No escape keeps everybody from that, since some look for them in the text that
 * was read already; as code they are left alone.
 */
const linked = /:\/\/|www\.|@/i

export function escaped(text: string): string {
  return text
    .replace(/[\t ]+/g, ' ')
    .trim()
    .replace(/[^\s|`\\]+|[|`\\]/g, (word) => (linked.test(word) ? `\`${word}\`` : word.replace(meaning, '\\$&')))
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
