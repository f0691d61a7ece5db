/** Writes a table in GitHub's Markdown. Values are escaped: they create no links, no HTML and no other cells. */
import type { Cell } from './cells.ts'
import type { FileWriter } from './fileWriter.ts'
import type { Sheet } from './sheet.ts'

/** Characters with a meaning in Markdown, or in some viewers: `:name:` can be an emoji. */
const specialCharacters = /[\\`*_[\]<>|~&#!$]|:(?=[a-z+-][\w+-]*:)/gi

/**
 * URLs and email addresses, which viewers make links. Escaping does not prevent that: some viewers search the text after they have
 * removed the escapes. In code marks they remain text.
 */
const linkLike = /:\/\/|www\.|@/i

export function escapeText(text: string): string {
  return text
    .replace(/[\t ]+/g, ' ')
    .trim()
    .replace(/[^\s|`\\]+|[|`\\]/g, (word) =>
      linkLike.test(word) ? `\`${word}\`` : word.replace(specialCharacters, '\\$&'),
    )
    .replaceAll('\n', '<br>')
}

export class MarkdownWriter implements FileWriter {
  readonly #lines: string[]

  constructor({ title, facts, headings }: Sheet) {
    this.#lines = [
      `# ${title}`,
      '',
      ...facts.map(([name, text]) => `- ${name}: ${escapeText(text)}`),
      '',
      formatRow(headings.map(escapeText)),
      formatRow(headings.map(() => '---')),
    ]
  }

  row(cells: readonly Cell[]): void {
    this.#lines.push(formatRow(cells.map(({ text, isGenerated }) => (isGenerated ? text : escapeText(text)))))
  }

  async end(closing: string): Promise<Uint8Array> {
    return Buffer.from(`${[...this.#lines, '', closing].join('\n')}\n`)
  }
}

function formatRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
