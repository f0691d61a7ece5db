/** Labels of the values of enums, in the language of the page. */
import { createEnumLabels } from '../../labels/enumLabels.ts'
import type { EnumValue } from '../data/graphql.ts'
import { messages } from '../messages.ts'

export const { formatName, findStatusLabel, formatKind } = createEnumLabels(messages)

/** Returns the path of a kind's page: `/insights/states/worktree-queue` for `WORKTREE_QUEUE`. */
export function getKindPath(kind: string): string {
  return `/insights/states/${kind.toLowerCase().replaceAll('_', '-')}`
}

/** Returns the kind in such a path. The server rejects one that does not exist. */
export function parseKind(segment: string): EnumValue<'ActorKind'> {
  return segment.toUpperCase().replaceAll('-', '_') as EnumValue<'ActorKind'>
}
