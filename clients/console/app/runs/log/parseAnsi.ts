/** Colors of terminals: converts the escape sequences of a line to texts with a style. Source: ECMA-48, SGR. */

export interface TextStyle {
  /** 0 to 15. Undefined for the page's own color. */
  readonly color: number | undefined
  readonly bold: boolean
  readonly dim: boolean
  readonly underline: boolean
}

export interface StyledText {
  readonly text: string
  readonly style: TextStyle
}

export const plainStyle: TextStyle = { color: undefined, bold: false, dim: false, underline: false }

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const sequence = /\u001b(?:\[([0-?]*)[ -/]*([@-~])|\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g
/** Parameters of the standard. Private ones begin with one of `<=>?`. */
const standard = /^[0-9;:]*$/

/** @returns the texts of the line, and the style that continues after it */
export function parseAnsi(
  line: string,
  before: TextStyle = plainStyle,
): { readonly texts: readonly StyledText[]; readonly style: TextStyle } {
  if (!line.includes('\u001b')) return { texts: line === '' ? [] : [{ text: line, style: before }], style: before }
  const texts: StyledText[] = []
  let style = before
  let from = 0
  for (const match of line.matchAll(sequence)) {
    if (match.index > from) texts.push({ text: line.slice(from, match.index), style })
    from = match.index + match[0].length
    const [, parameters = '', final] = match
    if (final === 'm' && standard.test(parameters)) style = applyParameters(style, parameters)
  }
  if (from < line.length) texts.push({ text: line.slice(from), style })
  return { texts, style }
}

/** Returns the text, of one or more lines, without its escape sequences. */
export function stripAnsi(text: string): string {
  return text.includes('\u001b') ? text.replace(sequence, '') : text
}

/** Parameters are separated by `;`. One with parts, which `:` separates, is complete: `38:2::255:0:0`, `4:3`. */
function applyParameters(style: TextStyle, parameters: string): TextStyle {
  const groups = parameters.split(';').map((group) => group.split(':').map(Number))
  let current = style
  for (let index = 0; index < groups.length; index++) {
    const [code = 0, ...parts] = groups[index] ?? []
    if (code === 38 || code === 48) {
      const following = groups.slice(index + 1, index + 3).map(([first]) => first)
      const [mode, color] = parts.length > 0 ? parts : following
      // 256 colors and true color: the first 16 of the 256 are used. The others are ignored.
      if (mode === 5 && code === 38 && color !== undefined && color < 16) current = { ...current, color }
      if (parts.length === 0) index += mode === 5 ? 2 : 4
    } else if (code === 4 && parts[0] === 0) current = applyCode(current, 24)
    else current = applyCode(current, code)
  }
  return current
}

function applyCode(style: TextStyle, code: number): TextStyle {
  if (code === 0) return plainStyle
  if (code === 1) return { ...style, bold: true }
  if (code === 2) return { ...style, dim: true }
  if (code === 4) return { ...style, underline: true }
  if (code === 22) return { ...style, bold: false, dim: false }
  if (code === 24) return { ...style, underline: false }
  if (code === 39) return { ...style, color: undefined }
  if (code >= 30 && code <= 37) return { ...style, color: code - 30 }
  if (code >= 90 && code <= 97) return { ...style, color: code - 82 }
  return style
}
