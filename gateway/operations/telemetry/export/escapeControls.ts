// Control characters except line ends and tabs, and characters that change the direction of text.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is shown
const invisible = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u2028-\u202e\u2066-\u2069]/g

/**
 * Replaces each control character by its code point, such as `[U+001B]`. So a terminal or an editor shows control characters and does
 * not execute them. Line ends become `\n`.
 */
export function escapeControls(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(invisible, (sign) => `[U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`)
}
