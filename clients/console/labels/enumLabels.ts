/** Labels of the values of enums in one language. The API may have values that are newer than the texts. */
import type { ConsoleMessages } from '../../../spec/messages/console/catalog.ts'

type Labels = Readonly<Record<string, string>>

export interface EnumLabels {
  /** Returns the label of a status, a phase or another value of an enum. */
  formatName(name: string): string
  /** Returns the label of a status. Undefined for a name that is not a status. */
  findStatusLabel(name: string): string | undefined
  /** Returns the label of a kind: `Worktree queue` for `WORKTREE_QUEUE`. */
  formatKind(kind: string): string
}

export function createEnumLabels(messages: Pick<ConsoleMessages, 'statuses' | 'kinds'>): EnumLabels {
  const { statuses, phases, others } = messages.statuses
  const kinds: Labels = messages.kinds
  const labels: Labels = { ...kinds, ...others, ...phases, ...statuses }
  return {
    formatName: (name) => find(labels, name) ?? toWords(name),
    findStatusLabel: (name) => find(statuses, name),
    formatKind: (kind) => find(kinds, kind) ?? toWords(kind),
  }
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
