/** Names of files and messages of servers are hostile: they could end a line, forge a command to GitHub, or reverse the text that follows. */

/** Control characters, line separators, and characters that change the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject
const unsafe = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/** @returns one line */
export function cleanText(text: string, most = 2_000): string {
  const line = text.replace(unsafe, ' ')
  const points = line.length > most ? [...line] : undefined
  return points !== undefined && points.length > most ? `${points.slice(0, most).join('')}…` : line
}
