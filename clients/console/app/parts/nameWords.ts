/** Converts `WAITING_FOR_INPUT` to readable words. */
export function nameWords(name: string): string {
  return name.replaceAll('_', ' ').toLowerCase()
}

/** The path of a kind's page: `/kinds/worktree-queue` for `WORKTREE_QUEUE`. */
export function kindPath(kind: string): string {
  return `/kinds/${kind.toLowerCase().replaceAll('_', '-')}`
}

/** The kind in such a path. */
export function kindInPath(segment: string): string {
  return segment.toUpperCase().replaceAll('-', '_')
}

/** Converts `WORKTREE_QUEUE` to a heading. */
export function kindWords(kind: string): string {
  const words = nameWords(kind)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
