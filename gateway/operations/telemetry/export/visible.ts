// Controls but line end and tab, and what makes text read in another order than it is written in.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is shown
const invisible = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u2028-\u202e\u2066-\u2069]/g

/**
 * The text with its controls written out, such as `[U+001B]`: a file that is looked at in a terminal, an editor or on paper shows what
 * is in it and obeys none of it. Line ends are `\n`.
 */
export function visible(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(invisible, (sign) => `[U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`)
}
