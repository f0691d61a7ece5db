/**
 * Creates missing search documents, after the upgrade and before the process takes work. A transition writes the document of its actor, so
 * actors without a transition since their kind is searched, or since `searchVersion` was raised, have none. Each kind is filled once.
 */
import { restoreSnapshot } from './activation/snapshot.ts'
import type { Logic } from './decide/logic.ts'
import { documentOf } from './decide/searchDocument.ts'
import { CommitFailed, type Journal } from './ports/journal.ts'
import type { SearchIndex } from './ports/searchIndex.ts'
import { migrated } from './upgrade.ts'

const pageSize = 500

export interface FillOptions {
  readonly logics: readonly Logic[]
  readonly journal: Pick<Journal, 'load'>
  readonly searchIndex: SearchIndex
  /** Called after each page with the number of documents created so far. */
  progress?(made: number): void
  /** Reports an actor that the present machine cannot read, for example one that ended long ago. Searches do not find it. */
  problem(error: unknown, context: Readonly<Record<string, unknown>>): void
}

type Documents = Parameters<SearchIndex['fill']>[0]

/** If one document cannot be written, the others are still written. */
async function fill(options: FillOptions, documents: Documents): Promise<void> {
  try {
    await options.searchIndex.fill(documents)
  } catch (error) {
    if (!(error instanceof CommitFailed)) throw error
    const [only, ...others] = documents
    if (only !== undefined && others.length === 0) options.problem(error, { part: 'search', actor: only.ref.id })
    else for (const one of documents) await fill(options, [one])
  }
}

/** Returns the number of documents created. */
export async function fillSearch(options: FillOptions): Promise<number> {
  const { logics, journal, searchIndex, progress, problem } = options
  let made = 0
  for (const logic of logics) {
    const { kind, search, searchVersion: version = 1 } = logic.definition
    if (search === undefined || (await searchIndex.isFilled(kind, version))) continue
    let after: string | undefined
    for (;;) {
      const refs = await searchIndex.missing(kind, version, after, pageSize)
      const stored = await journal.load(refs)
      const documents = refs.flatMap((ref) => {
        const actor = stored.get(ref.id)
        try {
          const document = actor && documentOf(logic, restoreSnapshot(logic, migrated(logic, actor)).state)
          return document === undefined ? [] : [{ ref, document }]
        } catch (error) {
          problem(error, { part: 'search', actor: ref.id })
          return []
        }
      })
      await fill(options, documents)
      made += documents.length
      if (documents.length > 0) progress?.(made)
      after = refs.at(-1)?.id
      if (refs.length < pageSize) break
    }
    await searchIndex.setFilled(kind, version)
  }
  return made
}
