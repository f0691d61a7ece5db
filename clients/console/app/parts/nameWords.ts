/** `WAITING_FOR_INPUT` as a person reads it. */
export function nameWords(name: string): string {
  return name.replaceAll('_', ' ').toLowerCase()
}

/** `worktreeQueue` as a heading. */
export function kindWords(kind: string): string {
  const words = kind.replace(/([A-Z])/g, ' $1').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
