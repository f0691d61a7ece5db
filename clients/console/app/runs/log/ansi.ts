/** Colors of terminals: converts the escape sequences of a line to runs of text with a look. Source: ECMA-48, SGR. */

export interface Look {
  /** 0 to 15. Undefined for the page's own color. */
  readonly colour: number | undefined
  readonly bold: boolean
  readonly dim: boolean
  readonly underline: boolean
}

export interface Run {
  readonly text: string
  readonly look: Look
}

export const plain: Look = { colour: undefined, bold: false, dim: false, underline: false }

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const sequence = /\u001b(?:\[([0-?]*)[ -/]*([@-~])|\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g
/** Parameters of the standard. Private ones begin with one of `<=>?`. */
const standard = /^[0-9;:]*$/

/** @returns the runs of the line, and the look that continues after it */
export function runsOf(line: string, before: Look = plain): { readonly runs: readonly Run[]; readonly look: Look } {
  if (!line.includes('\u001b')) return { runs: line === '' ? [] : [{ text: line, look: before }], look: before }
  const runs: Run[] = []
  let look = before
  let from = 0
  for (const match of line.matchAll(sequence)) {
    if (match.index > from) runs.push({ text: line.slice(from, match.index), look })
    from = match.index + match[0].length
    const [, parameters = '', final] = match
    if (final === 'm' && standard.test(parameters)) look = dressed(look, parameters)
  }
  if (from < line.length) runs.push({ text: line.slice(from), look })
  return { runs, look }
}

/** Returns the text, of one or more lines, without its escape sequences. */
export function textOf(text: string): string {
  return text.includes('\u001b') ? text.replace(sequence, '') : text
}

function dressed(look: Look, parameters: string): Look {
  const codes = parameters.split(/[;:]/).map(Number)
  let now = look
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index] ?? 0
    if (code === 38 || code === 48) {
      // 256 colors and true color: the first 16 of the 256 are used. The others are ignored.
      const indexed = codes[index + 1] === 5
      const colour = codes[index + 2]
      if (indexed && code === 38 && colour !== undefined && colour < 16) now = { ...now, colour }
      index += indexed ? 2 : 4
    } else now = changed(now, code)
  }
  return now
}

function changed(look: Look, code: number): Look {
  if (code === 0) return plain
  if (code === 1) return { ...look, bold: true }
  if (code === 2) return { ...look, dim: true }
  if (code === 4) return { ...look, underline: true }
  if (code === 22) return { ...look, bold: false, dim: false }
  if (code === 24) return { ...look, underline: false }
  if (code === 39) return { ...look, colour: undefined }
  if (code >= 30 && code <= 37) return { ...look, colour: code - 30 }
  if (code >= 90 && code <= 97) return { ...look, colour: code - 82 }
  return look
}
