/** The common parts of the journal's contract. */
import { deepEqual } from 'node:assert/strict'
import type { Journal, Write } from '../../../actors/ports/journal.ts'

export async function written(journal: Journal, batch: readonly Write[]): Promise<void> {
  deepEqual(await journal.commit(batch, []), { lost: new Map() })
}

export function members(values: Readonly<Record<string, number | string | undefined>>): Write['members'] {
  return Object.entries(values).map(([key, value]) => ({ key, value }))
}
