/**
 * Splits a text into pieces that are shown as they are and characters that are not visible but change what is shown: control
 * characters, marks of the writing direction, and invisible ones that can hide a difference. Tabs and line ends are no such characters.
 */

export interface TextPiece {
  readonly text: string
  /** Whether the text is one such character. */
  readonly isControl: boolean
}

const control =
  /((?![\t\n\r])\p{Cc}|\p{Bidi_Control}|[\u00ad\u200b\u2028\u2029\u2060-\u2064\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}])/u

export function splitControls(text: string): readonly TextPiece[] {
  // The pieces at odd indexes are those that match.
  return text
    .split(control)
    .map((piece, index) => ({ text: piece, isControl: index % 2 === 1 }))
    .filter((piece) => piece.text !== '')
}

/** The name of a character in Unicode's notation: `U+202E`. */
export function nameCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/** The text with the names of such characters in their place, for the title of a page. */
export function showControls(text: string): string {
  return splitControls(text)
    .map((piece) => (piece.isControl ? nameCharacter(piece.text) : piece.text))
    .join('')
}
