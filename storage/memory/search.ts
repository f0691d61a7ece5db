/** What a search means, said in the plainest way. The rank among words is simpler than PostgreSQL's own. */
import type { SearchDocument } from '../../actors/ports.ts'
import { kindOfId } from '../../spec/ids.ts'
import { type SearchHit, type SearchQuery, searchMatches } from '../../spec/views.ts'
import { type StoredDocument, storedDocument } from '../search/document.ts'
import { excerptOf } from '../search/excerpt.ts'
import { mayGoOn, type Question, questionOf } from '../search/question.ts'
import { wordSimilarity } from './trigrams.ts'

const similarEnough = 0.5

interface Ranked {
  readonly match: SearchHit['match']
  readonly rank: number
}

export function searchDocuments(
  documents: ReadonlyMap<string, SearchDocument>,
  query: SearchQuery,
): readonly SearchHit[] {
  const question = questionOf(query)
  const { kinds, limit, terms } = question
  const candidates = [...documents].flatMap(([id, { found }]) => {
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
  const rank = document.titleKey.includes(key) ? 1 : wordSimilarity(similar, document.titleKey)
  return rank >= similarEnough ? { match: 'SIMILAR', rank } : undefined
}

/** The share of its words that stand in the title; undefined where one is missing. */
function sharedWords({ words }: StoredDocument, { terms }: Question): number | undefined {
  if (terms.length === 0) return undefined
  let inTitle = 0
  for (const [index, term] of terms.entries()) {
    const found = term.map((parts) =>
      parts.map((part, at) => {
        const goesOn = index === terms.length - 1 && at === parts.length - 1 && mayGoOn(part)
        return [...words]
          .filter(([word]) => (goesOn ? word.startsWith(part) : word === part))
          .flatMap(([, where]) => where)
      }),
    )
    const whole = found.filter((parts) => parts.every((where) => where.length > 0))
    if (whole.length === 0) return undefined
    if (whole.some((parts) => parts.every((where) => where.some((one) => one.inTitle)))) inTitle++
  }
  return inTitle / terms.length
}
