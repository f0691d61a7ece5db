import type { EnumValue } from '../data/graphql.ts'

/** Converts `WAITING_FOR_INPUT` to readable words. */
export function formatName(name: string): string {
  return name.replaceAll('_', ' ').toLowerCase()
}

/** Converts `WORKTREE_QUEUE` to a heading. */
export function formatKind(kind: string): string {
  const words = formatName(kind)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns the path of a kind's page: `/insights/states/worktree-queue` for `WORKTREE_QUEUE`. */
export function getKindPath(kind: string): string {
  return `/insights/states/${kind.toLowerCase().replaceAll('_', '-')}`
}

/** Returns the kind in such a path. The server rejects one that does not exist. */
export function parseKind(segment: string): EnumValue<'ActorKind'> {
  return segment.toUpperCase().replaceAll('-', '_') as EnumValue<'ActorKind'>
}
