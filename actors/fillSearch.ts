/**
 * Creates missing search documents, after the upgrade and before the process takes work. A transition writes the document of its actor, so
 * actors without a transition since their kind became searchable have none, and those without one since `searchVersion` was raised have an
 * old one. Each kind is filled once for each `searchVersion`.
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
  /** Called after each page that has documents, with the number of documents written so far. */
  progress?(written: number): void
  /** Reports an actor without a document: the present machine cannot read it, or the document cannot be written. Searches do not find it. */
  problem(error: unknown, context: Readonly<Record<string, unknown>>): void
}

type Documents = Parameters<SearchIndex['fill']>[0]

/** If one document cannot be written, the others are still written. Returns the number of documents written. */
async function writeAll(options: FillOptions, documents: Documents): Promise<number> {
  try {
    await options.searchIndex.fill(documents)
    return documents.length
  } catch (error) {
    if (!(error instanceof CommitFailed)) throw error
    const [first, ...others] = documents
    if (first !== undefined && others.length === 0) {
      options.problem(error, { part: 'search', actor: first.ref.id })
      return 0
    }
    let written = 0
    for (const one of documents) written += await writeAll(options, [one])
    return written
  }
}

/** Returns the number of documents written. */
export async function fillSearch(options: FillOptions): Promise<number> {
  const { logics, journal, searchIndex, progress, problem } = options
  let written = 0
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
      written += await writeAll(options, documents)
      if (documents.length > 0) progress?.(written)
      after = refs.at(-1)?.id
      if (refs.length < pageSize) break
    }
    await searchIndex.setFilled(kind, version)
  }
  return written
}
