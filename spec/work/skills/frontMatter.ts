/**
 * The front matter of a SKILL.md: `name` and `description`, between two lines `---`. It is read as YAML for these two, at the top level:
 * plain, quoted and block texts. All other keys are left to the coding CLIs.
 */

export interface FrontMatter {
  readonly name: string | undefined
  readonly description: string | undefined
}

/** A line that cannot be read, counted from 1, and what is wrong with it. */
export interface FrontMatterProblem {
  readonly line: number
  readonly problem: string
}

// With `s`, because a value may have U+2028, which ends a line for a regular expression and not for YAML.
const keyLine = /^([A-Za-z0-9_-]+)[ \t]*:(?:[ \t]+(.*))?$/s
const wanted: ReadonlySet<string> = new Set(['name', 'description'])

export function parseFrontMatter(text: string): FrontMatter | FrontMatterProblem {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---')
  if (lines[0]?.trimEnd() !== '---' || end < 0)
    return {
      line: 1,
      problem:
        'there is no front matter. Begin the file with a line "---", `name: …`, `description: …` and a line "---".',
    }
  const found = new Map<string, string>()
  for (let index = 1; index < end; index += 1) {
    const line = lines[index] ?? ''
    const [, key = '', value = ''] = keyLine.exec(line) ?? []
    if (!wanted.has(key)) continue
    if (found.has(key)) return { line: index + 1, problem: `"${key}" is there twice. Keep one of them.` }
    const more = takeIndented(lines.slice(index + 1, end))
    const read = readValue(value.trim(), more)
    if (typeof read !== 'string') return { line: index + 1, problem: `"${key}" ${read.problem}` }
    found.set(key, read)
    index += more.length
  }
  return { name: found.get('name'), description: found.get('description') }
}

/** The lines that continue a value: indented ones, and blank ones between them. */
function takeIndented(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex((line) => line.trim() !== '' && !/^[ \t]/.test(line))
  return end < 0 ? lines : lines.slice(0, end)
}

function readValue(first: string, more: readonly string[]): string | { readonly problem: string } {
  const block = /^([|>])[+-]?(?:[ \t]+#.*)?$/s.exec(first)
  if (block) return block[1] === '|' ? literal(more) : folded(more)
  const whole = folded([first, ...more])
  if (first.startsWith('"')) return readDoubleQuoted(whole)
  if (first.startsWith("'")) {
    const [, inner] = /^'((?:[^']|'')*)'(?:[ \t]+#.*)?$/s.exec(whole) ?? []
    return inner?.replaceAll("''", "'") ?? { problem: 'has no closing quotation mark.' }
  }
  const plain = whole.replace(/(^|[ \t])#[^\n]*$/, '').trim()
  if (/^[[\]{}&*!%@`|>?,]/.test(plain) || /^-[ \t]/.test(plain) || /:(?:[ \t]|$)/.test(plain))
    return { problem: 'is not a plain text. Put it into double quotation marks.' }
  return plain
}

function readDoubleQuoted(whole: string): string | { readonly problem: string } {
  const [, quoted] = /^("(?:[^"\\]|\\.)*")(?:[ \t]+#.*)?$/s.exec(whole) ?? []
  if (quoted === undefined) return { problem: 'has no closing quotation mark.' }
  try {
    return String(JSON.parse(quoted.replaceAll('\n', '\\n').replaceAll('\t', '\\t')))
  } catch {
    return { problem: 'has an unknown escape sequence. Use \\", \\\\, \\n, \\t or \\u and four digits.' }
  }
}

const literal = (lines: readonly string[]): string => unindented(lines).join('\n').trim()

/** Joins lines by blanks. A blank line begins a new line. */
const folded = (lines: readonly string[]): string =>
  lines
    .map((line) => line.trim())
    .join('\n')
    .replace(/([^\n])\n(?=[^\n])/g, '$1 ')
    .replace(/\n\n/g, '\n')
    .trim()

function unindented(lines: readonly string[]): readonly string[] {
  const depths = lines.filter((line) => line.trim() !== '').map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0)
  const depth = depths.length === 0 ? 0 : Math.min(...depths)
  return lines.map((line) => line.slice(depth))
}
