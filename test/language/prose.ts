/** Text for people, cut into sentences with their places. */

/** A text that begins at a line of a file. */
export interface Prose {
  readonly text: string
  /** From 1. */
  readonly line: number
}

export interface Sentence {
  readonly text: string
  /** The line on which it begins, from 1. */
  readonly line: number
  /** Offset in `text` → line. */
  lineAt(offset: number): number
}

/**
 * Names in code marks, quotations (“…”) and targets of links are not language. A code mark becomes a placeholder of no letters, so that sentences
 * keep their form. Paragraphs, list items, headings and table cells end a sentence too.
 */
export function splitSentences({ text, line }: Prose): readonly Sentence[] {
  const plain = text
    .replace(/```[\s\S]*?```/g, keepLines)
    .replace(/`[^`]*`/g, (code) => `_${keepLines(code)}`)
    .replace(/\]\([^)\n]*\)/g, ']')
    .replace(/“[^”]*”/g, (quotation) => `_${keepLines(quotation)}`)
    .replace(/https?:\/\/\S+/g, '_')
    .replace(/<!--[\s\S]*?-->/g, keepLines)
  const sentences: Sentence[] = []
  let at = 0
  for (const part of plain.split(
    /((?<=[.!?:][)"”*]*)\s+(?=[A-Z_"“(*[])|\n[ \t]*\n|\n(?=[ \t]*(?:[-*#|]|\d+\.) )|\|)/,
  )) {
    const begin = at + part.search(/[^\s*_"“(#[\]-]|$/)
    const trimmed = plain.slice(begin, at + part.length).trimEnd()
    const lineAt = (offset: number) => line + countLines(plain.slice(0, begin + offset))
    if (/[a-z]/i.test(trimmed)) sentences.push({ text: trimmed.replaceAll('\n', ' '), line: lineAt(0), lineAt })
    at += part.length
  }
  return sentences
}

/** The text of a Markdown document without its fenced blocks. */
export function readMarkdownProse(source: string): readonly Prose[] {
  return [{ text: source.replace(/^```[\s\S]*?^```$/gm, keepLines), line: 1 }]
}

function keepLines(text: string): string {
  return '\n'.repeat(countLines(text))
}

function countLines(text: string): number {
  return text.split('\n').length - 1
}
