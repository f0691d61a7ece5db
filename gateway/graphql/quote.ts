/** JSON of a string, as `JSON.stringify` writes it, for the many that hold nothing to escape. */

/** Quotes, backslashes, control characters, and surrogates, of which a lone one is escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const special = /["\\\u0000-\u001f\ud800-\udfff]/

export function quote(text: string): string {
  return special.test(text) ? JSON.stringify(text) : `"${text}"`
}
