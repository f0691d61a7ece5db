/** Replaces names in braces by their values. */
export function filled(words: string, values: Readonly<Record<string, string>>): string {
  return words.replace(/\{(\w+)\}/g, (name, key: string) => values[key] ?? name)
}
