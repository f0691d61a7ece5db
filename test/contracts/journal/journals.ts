/** The common parts of the journal's contract. */
import { deepEqual } from 'node:assert/strict'
import type { Journal, Write } from '../../../actors/ports/journal.ts'
import type { Storage } from '../../../storage/storage.ts'
import { itIn, type OpenDatabase } from '../storages.ts'

/** Declares a test with the journals of two processes, and the whole storage of the first process. */
export type JournalIt = (title: string, run: (journal: Journal, other: Journal, one: Storage) => Promise<void>) => void

export const journalItIn =
  (open: OpenDatabase): JournalIt =>
  (title, run) =>
    itIn(open)(title, (one, two) => run(one.journal, two.journal, one))

export async function written(journal: Journal, batch: readonly Write[]): Promise<void> {
  deepEqual(await journal.commit(batch, []), { lost: new Map() })
}

export function members(values: Readonly<Record<string, number | string | undefined>>): Write['members'] {
  return Object.entries(values).map(([key, value]) => ({ key, value }))
}
