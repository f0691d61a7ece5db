/** A search document in the form in which it is stored. */
import type { Searchable } from '../../spec/search/searchable.ts'
import { fold, type Lexeme, placesOf, tidy } from './words.ts'

const titleMax = 200
const bodyMax = 1_000

export interface StoredDocument {
  readonly title: string
  readonly body: string
  readonly titleKey: string
  /** The positions of each word. The positions of the title come first. */
  readonly words: ReadonlyMap<Lexeme, readonly Occurrence[]>
}

export interface Occurrence {
  /** From 1. */
  readonly place: number
  readonly inTitle: boolean
}

export function storedDocument({ title, text }: Searchable): StoredDocument {
  const shown = tidy(title, titleMax)
  const body = tidy(text, bodyMax)
  const inTitle = placesOf(shown)
  const words = new Map<Lexeme, Occurrence[]>()
  for (const [index, forms] of [...inTitle, ...placesOf(body)].entries()) {
    const within = index < inTitle.length
    // Title and body are not adjacent, so one position between them stays free.
    const occurrence = { place: index + (within ? 1 : 2), inTitle: within }
    for (const form of forms) {
      const known = words.get(form)
      if (known === undefined) words.set(form, [occurrence])
      else known.push(occurrence)
    }
  }
  return { title: shown, body, titleKey: keyOf(shown), words }
}

/** The form in which titles are compared. */
export function keyOf(title: string): string {
  return fold(tidy(title, titleMax))
}

/** The word that marks the documents of a kind. No text contains such a word. */
export const kindWord = (kind: string): Lexeme => `=${kind}`

/** In the syntax of a tsvector. Words of the title have the greatest weight. */
export function tsvectorOf(kind: string, { words }: StoredDocument): string {
  const listed = [...words].map(
    ([word, places]) =>
      `${quoted(word)}:${places.map(({ place, inTitle }) => `${place}${inTitle ? 'A' : ''}`).join(',')}`,
  )
  return [quoted(kindWord(kind)), ...listed].join(' ')
}

/** Quotes any text as one lexeme of a tsvector or a tsquery. */
export function quoted(word: Lexeme): string {
  return `'${word.replace(/['\\]/g, '$&$&')}'`
}
