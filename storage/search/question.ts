/** What is asked for, made ready to be looked up. */
import { type ActorKind, actorKinds, kindOfId, siblingId } from '../../spec/core/ids.ts'
import type { SearchQuery } from '../ports/views.ts'
import { keyOf, kindWord, quoted } from './document.ts'
import { type Term, termsOf, tidy } from './words.ts'

/** Each further word narrows what is left only a little, and costs a look into the index. */
export const mostTerms = 12
const textMax = 200
/** A longer text has so many trigrams that to count them takes longer than a search should. */
const similarMax = 48

/** The least share of a text's trigrams that must stand together in a title. */
export const leastSimilar = 0.5

export interface Question {
  /** Where the text is an ID: that actor, and those of other kinds with the same 26 characters, as a job's run. */
  readonly ids: readonly string[]
  readonly key: string
  readonly terms: readonly Term[]
  /** What titles must be similar to. Trigrams are made of letters and digits of ASCII at least, and need three. */
  readonly similar: { readonly text: string; readonly least: number } | undefined
  readonly kinds: readonly ActorKind[]
  /** Whether these are all that there are. */
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
 * A letter that is missing from a word of eight leaves just over half of the trigrams together. Of short words half is too little:
 * `mac` would be like `main`.
 */
function similarTo(key: string): Question['similar'] {
  return { text: key.slice(0, similarMax), least: key.length < 6 ? 0.6 : leastSimilar }
}

/** A word of one letter is none that somebody is still writing: too much begins with it. */
export const mayGoOn = (word: string): boolean => word.length > 1 || !/[a-z0-9]/.test(word)

/** As PostgreSQL reads a tsquery: all words, the last one as a beginning, and one of the kinds. Null without words. */
export function tsqueryOf({ terms, kinds, everyKind }: Question): string | null {
  if (terms.length === 0) return null
  const words = terms.map((term, index) => {
    const last = index === terms.length - 1
    return anyOf(term.map((parts) => rowOf(parts.map((part, at) => beginning(part, last && at === parts.length - 1)))))
  })
  return allOf(everyKind ? words : [...words, anyOf(kinds.map((kind) => quoted(kindWord(kind))))])
}

const beginning = (part: string, last: boolean): string => quoted(part) + (last && mayGoOn(part) ? ':*' : '')
const allOf = (parts: readonly string[]): string => (parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(' & ')})`)
const rowOf = (parts: readonly string[]): string => (parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(' <-> ')})`)
const anyOf = (parts: readonly string[]): string => (parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(' | ')})`)
