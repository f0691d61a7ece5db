import type { SearchDocument } from '../../actors/ports/journal.ts'
import { listTsvectorOf, storedDocument, tsvectorOf } from './document.ts'

/** A row of `search_document`. If the actor is not searchable, all columns except the version are null. */
export interface DocumentRow {
  readonly version: number
  readonly title: string | undefined
  readonly body: string | undefined
  readonly titleKey: string | undefined
  readonly words: string | undefined
  /** Undefined also if the list of the kind finds nothing by words. */
  readonly listWords: string | undefined
}

export function documentRow(kind: string, { version, found }: SearchDocument): DocumentRow {
  if (found === undefined) {
    return {
      version,
      title: undefined,
      body: undefined,
      titleKey: undefined,
      words: undefined,
      listWords: undefined,
    }
  }
  const document = storedDocument(found)
  const { title, body, titleKey } = document
  return { version, title, body, titleKey, words: tsvectorOf(kind, document), listWords: listTsvectorOf(document) }
}
