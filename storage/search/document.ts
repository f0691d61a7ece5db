/** A search document in the form in which it is stored. */
import type { ListMark, ListSearchable, Searchable } from '../../spec/search/searchable.ts'
import { fold, type Lexeme, type Place, placesOf, tidy } from './words.ts'

const titleMax = 200
const bodyMax = 1_000
const listTextMax = 4_000

export interface StoredDocument {
  readonly title: string
  readonly body: string
  readonly titleKey: string
  /** The positions of each word. The positions of the title come first. */
  readonly words: ReadonlyMap<Lexeme, readonly Occurrence[]>
  /** The words by which the list of the kind finds the actor. Undefined if the kind has none. */
  readonly listWords: ReadonlyMap<Lexeme, readonly Occurrence[]> | undefined
}

export interface Occurrence {
  /** From 1. */
  readonly place: number
  readonly inTitle: boolean
}

export function storedDocument({ title, text, list }: Searchable): StoredDocument {
  const shown = tidy(title, titleMax)
  const body = tidy(text, bodyMax)
  const parts = [placesOf(shown), placesOf(body)]
  const words = occurrencesIn(parts)
  const listWords = list && occurrencesIn([...parts, placesOf(tidy(list.text, listTextMax))])
  for (const mark of marksOf(list)) listWords?.set(mark, [{ place: 1, inTitle: false }])
  return { title: shown, body, titleKey: keyOf(shown), words, listWords }
}

/** The first part is the title. The parts are not adjacent, so one position between them stays free. */
function occurrencesIn(parts: readonly (readonly Place[])[]): Map<Lexeme, Occurrence[]> {
  const words = new Map<Lexeme, Occurrence[]>()
  let place = 0
  for (const [index, places] of parts.entries()) {
    for (const forms of places) {
      place++
      const occurrence = { place, inTitle: index === 0 }
      for (const form of forms) {
        const known = words.get(form)
        if (known === undefined) words.set(form, [occurrence])
        else known.push(occurrence)
      }
    }
    place++
  }
  return words
}

function marksOf(list: ListSearchable | undefined): readonly Lexeme[] {
  return Object.entries(list?.marks ?? {}).map(markWord)
}

/** The word that marks the documents with this value. No text contains such a word. */
export const markWord = ([name, value]: ListMark): Lexeme => `=${name}:${tidy(value, titleMax)}`

/** The form in which titles are compared. */
export function keyOf(title: string): string {
  return fold(tidy(title, titleMax))
}

/** The word that marks the documents of a kind. No text contains such a word. */
export const kindWord = (kind: string): Lexeme => `=${kind}`

/** In the syntax of a tsvector. Words of the title have the greatest weight. */
export function tsvectorOf(kind: string, { words }: StoredDocument): string {
  return [quoted(kindWord(kind)), listOccurrences(words)].join(' ')
}

/** In the syntax of a tsvector. */
export function listTsvectorOf({ listWords }: StoredDocument): string | undefined {
  return listWords && listOccurrences(listWords)
}

function listOccurrences(words: ReadonlyMap<Lexeme, readonly Occurrence[]>): string {
  return [...words]
    .map(
      ([word, places]) =>
        `${quoted(word)}:${places.map(({ place, inTitle }) => `${place}${inTitle ? 'A' : ''}`).join(',')}`,
    )
    .join(' ')
}

/** Quotes any text as one lexeme of a tsvector or a tsquery. */
export function quoted(word: Lexeme): string {
  return `'${word.replace(/['\\]/g, '$&$&')}'`
}
