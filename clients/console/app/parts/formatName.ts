/** Labels of the values of enums, in the language of the page. The API may have values that are newer than this page. */
import type { EnumValue } from '../data/graphql.ts'
import { messages } from '../messages.ts'

type Labels = Readonly<Record<string, string>>

const { statuses, phases, others } = messages.statuses
const kinds: Labels = messages.kinds
const labels: Labels = { ...kinds, ...others, ...phases, ...statuses }

/** Returns the label of a status, a phase or another value of an enum. */
export function formatName(name: string): string {
  return find(labels, name) ?? toWords(name)
}

/** Returns the label of a status. Undefined for a name that is not a status. */
export function findStatusLabel(name: string): string | undefined {
  return find(statuses, name)
}

/** Returns the label of a kind: `Worktree queue` for `WORKTREE_QUEUE`. */
export function formatKind(kind: string): string {
  return find(kinds, kind) ?? toWords(kind)
}

/** The values are names of the API, and no names that every object has. */
function find(from: Labels, name: string): string | undefined {
  return Object.hasOwn(from, name) ? from[name] : undefined
}

/** Converts `WAITING_FOR_INPUT` to `Waiting for input`. */
function toWords(name: string): string {
  const words = name.replaceAll('_', ' ').toLowerCase()
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
