/** Control characters, lone surrogates, and characters that change the direction of the text after them. */
export const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** A text of a hostile request or file, in one line of at most that length. It can be stored, and shown in any place. */
export function printable(text: string, most: number): string {
  // Only as much as is kept is cleaned: a text may have megabytes.
  const clean = text.slice(0, most).replace(unprintable, '\ufffd')
  return text.length <= most ? clean : `${clean.slice(0, -1).replace(/[\ud800-\udbff]$/, '')}…`
}
