/** Puts values in where words have their names in braces. */
export function filled(words: string, values: Readonly<Record<string, string>>): string {
  return words.replace(/\{(\w+)\}/g, (name, key: string) => values[key] ?? name)
}
