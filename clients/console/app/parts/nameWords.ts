/** Converts `WAITING_FOR_INPUT` to readable words. */
export function nameWords(name: string): string {
  return name.replaceAll('_', ' ').toLowerCase()
}

/** Converts `worktreeQueue` to a heading. */
export function kindWords(kind: string): string {
  const words = kind.replace(/([A-Z])/g, ' $1').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
