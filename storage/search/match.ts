/**
 * A reference implementation of search: for documents in memory, and for the few objects that are not actors of their own. Its
 * rank among word matches is simpler than PostgreSQL's.
 */
import { kindOfId } from '../../spec/core/ids.ts'
import type { Searchable } from '../../spec/search/searchable.ts'
import { searchMatches } from '../../spec/search/searchMatches.ts'
import type { SearchHit, SearchQuery } from '../ports/views.ts'
import { markWord, type Occurrence, type StoredDocument, storedDocument } from './document.ts'
import { excerptOf } from './excerpt.ts'
import { type ListQuestion, mayGoOn, type Question, questionOf } from './question.ts'
import { wordSimilarity } from './trigrams.ts'

interface Ranked {
  readonly match: SearchHit['match']
  readonly rank: number
}

export function searchDocuments(
  documents: Iterable<readonly [id: string, found: Searchable | undefined]>,
  query: SearchQuery,
): readonly SearchHit[] {
  const question = questionOf(query)
  const { kinds, limit, terms } = question
  const candidates = [...documents].flatMap(([id, found]) => {
    const kind = kindOfId(id)
    return found === undefined || kind === undefined || !kinds.includes(kind)
      ? []
      : [{ id, kind, ...storedDocument(found) }]
  })
  const ranked = candidates.flatMap((one) => {
    const how = rankOf(one.id, one, question)
    return how === undefined ? [] : [{ ...one, ...how }]
  })
  const sure = ranked.filter(({ match }) => match !== 'SIMILAR').length
  return ranked
    .filter(({ match }) => match !== 'SIMILAR' || sure < limit)
    .sort((a, b) => place(a) - place(b) || b.rank - a.rank || (madeAt(a.id) < madeAt(b.id) ? 1 : -1))
    .slice(0, limit)
    .map(({ id, kind, title, body, match }) => ({ kind, id, title, excerpt: excerptOf(body, terms), match }))
}

const place = ({ match }: Ranked): number => searchMatches.indexOf(match)
const madeAt = (id: string): string => id.slice(id.indexOf('_') + 1)

function rankOf(id: string, document: StoredDocument, question: Question): Ranked | undefined {
  const { ids, key, similar } = question
  if (ids.includes(id)) return { match: 'ID', rank: ids[0] === id ? 1 : 0 }
  if (document.titleKey === key) return { match: 'TITLE', rank: 0 }
  const share = sharedWords(document, question)
  if (share !== undefined) return { match: 'WORDS', rank: share + (document.titleKey.startsWith(key) ? 1 : 0) }
  if (similar === undefined) return undefined
  const rank = document.titleKey.includes(key) ? 1 : wordSimilarity(similar.text, document.titleKey)
  return rank >= similar.least ? { match: 'SIMILAR', rank } : undefined
}

/** Whether the list of its kind finds the document by the words and marks. */
export function isInList(found: Searchable | undefined, { terms, marks }: ListQuestion): boolean {
  const words = found && storedDocument(found).listWords
  if (words === undefined) return false
  return (
    marks.every((group) => group.some((mark) => words.has(markWord(mark)))) &&
    terms.every((term, index) => term.some((parts) => rowsOf({ words }, parts, index === terms.length - 1).length > 0))
  )
}

/** The share of the search terms that are in the title; undefined if a term is not in the document. */
function sharedWords(document: StoredDocument, { terms }: Question): number | undefined {
  if (terms.length === 0) return undefined
  const found = terms.map((term, index) => term.flatMap((parts) => rowsOf(document, parts, index === terms.length - 1)))
  if (found.some((rows) => rows.length === 0)) return undefined
  return found.filter((rows) => rows.some(({ inTitle }) => inTitle)).length / terms.length
}

/** The positions at which the parts follow each other directly. */
function rowsOf(
  { words }: Pick<StoredDocument, 'words'>,
  parts: readonly string[],
  last: boolean,
): readonly Occurrence[] {
  const placesOf = parts.map((part, at) => {
    const goesOn = last && at === parts.length - 1 && mayGoOn(part)
    return [...words].flatMap(([word, places]) => ((goesOn ? word.startsWith(part) : word === part) ? places : []))
  })
  return (placesOf[0] ?? []).filter(({ place: first }) =>
    placesOf.every((places, at) => places.some(({ place: one }) => one === first + at)),
  )
}
