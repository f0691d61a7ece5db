/** Parses a search query into the terms that are looked up. */
import { type ActorKind, actorKinds, kindOfId, siblingId } from '../../spec/core/ids.ts'
import type { ListMark } from '../../spec/search/searchable.ts'
import type { SearchQuery } from '../ports/views.ts'
import { keyOf, kindWord, markWord, quoted } from './document.ts'
import { type Term, termsOf, tidy } from './words.ts'

/** Each further word narrows the result only a little and costs an index look-up. */
const mostTerms = 12
const textMax = 200
/** A longer text has so many trigrams that counting them takes longer than a search should. */
const similarMax = 48

/** The least share of a text's trigrams that a title must contain together. */
export const leastSimilar = 0.5

export interface Question {
  /** If the text is an ID: that actor, and the actors of other kinds with the same 26 characters, such as the run of a job. */
  readonly ids: readonly string[]
  readonly key: string
  readonly terms: readonly Term[]
  /** The text that titles must be similar to. Trigrams consist of ASCII letters and digits at least, and a text needs three of them. */
  readonly similar: { readonly text: string; readonly least: number } | undefined
  readonly kinds: readonly ActorKind[]
  /** Whether `kinds` has all kinds. */
  readonly everyKind: boolean
  readonly limit: number
}

export function questionOf({ text, kinds = actorKinds, limit }: SearchQuery): Question {
  const plain = tidy(text, textMax)
  const key = keyOf(plain)
  const known = kindOfId(plain) !== undefined
  return {
    ids: known ? [plain, ...kinds.map((kind) => siblingId(kind, plain))] : [],
    key,
    terms: known ? [] : termsOf(plain).slice(0, mostTerms),
    similar: !known && /[a-z0-9]{3}/.test(key) ? similarTo(key) : undefined,
    kinds,
    everyKind: kinds === actorKinds,
    limit,
  }
}

/**
 * If one letter of an eight-letter text is missing, just over half of the trigrams match together. For short words half is too
 * little: `mac` would be similar to `main`.
 */
function similarTo(key: string): Question['similar'] {
  return { text: key.slice(0, similarMax), least: key.length < 6 ? 0.6 : leastSimilar }
}

/** The last word may be incomplete, so it matches as a prefix. A single letter does not, because too many words begin with it. */
export const mayGoOn = (word: string): boolean => word.length > 1 || !/[a-z0-9]/.test(word)

/** In the syntax of a tsquery: all words, the last one as a prefix, and one of the kinds. Null if there are no words. */
export function tsqueryOf({ terms, kinds, everyKind }: Question): string | null {
  if (terms.length === 0) return null
  const words = wordsOf(terms)
  return allOf(everyKind ? words : [...words, anyOf(kinds.map((kind) => quoted(kindWord(kind))))])
}

function wordsOf(terms: readonly Term[]): readonly string[] {
  return terms.map((term, index) => {
    const last = index === terms.length - 1
    return anyOf(term.map((parts) => rowOf(parts.map((part, at) => beginning(part, last && at === parts.length - 1)))))
  })
}

/** The words that a list looks for. */
export function listTermsOf(text: string): readonly Term[] {
  return termsOf(tidy(text, textMax)).slice(0, mostTerms)
}

/** The filter of a list by words and by marks. */
export interface ListQuestion {
  readonly terms: readonly Term[]
  /** Each group needs one of its marks. */
  readonly marks: readonly (readonly ListMark[])[]
}

/** In the syntax of a tsquery: all words, the last one as a prefix, and one mark of each group. Null if there is nothing to look for. */
export function listTsqueryOf({ terms, marks }: ListQuestion): string | null {
  const groups = marks.map((group) => anyOf(group.map((mark) => quoted(markWord(mark)))))
  const parts = [...groups, ...wordsOf(terms)]
  return parts.length === 0 ? null : allOf(parts)
}

const beginning = (part: string, last: boolean): string => quoted(part) + (last && mayGoOn(part) ? ':*' : '')
const allOf = (parts: readonly string[]): string => (parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(' & ')})`)
const rowOf = (parts: readonly string[]): string => (parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(' <-> ')})`)
const anyOf = (parts: readonly string[]): string => (parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(' | ')})`)
