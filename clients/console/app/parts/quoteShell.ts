/** Quotes a text for a POSIX shell, if it needs quotes. */
export function quoteShell(text: string): string {
  return /^[\w./@%+=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
