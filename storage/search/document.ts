/** A document as storage keeps it. */
import type { ActorKind } from '../../spec/core/ids.ts'
import type { Searchable } from '../../spec/search/searchable.ts'
import { fold, type Lexeme, placesOf, tidy } from './words.ts'

const titleMax = 200
const bodyMax = 1_000

export interface StoredDocument {
  readonly title: string
  readonly body: string
  readonly titleKey: string
  /** Where each word stands: the title's places come first. */
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
    // The end of the title and the beginning of the body do not stand side by side.
    const occurrence = { place: index + (within ? 1 : 2), inTitle: within }
    for (const form of forms) {
      const known = words.get(form)
      if (known === undefined) words.set(form, [occurrence])
      else known.push(occurrence)
    }
  }
  return { title: shown, body, titleKey: keyOf(shown), words }
}

/** How titles are compared. */
export function keyOf(title: string): string {
  return fold(tidy(title, titleMax))
}

/** The word by which a kind's documents are told from others; no text has one like it. */
export const kindWord = (kind: ActorKind): Lexeme => `=${kind}`

/** As PostgreSQL reads a tsvector: words of the title weigh most. */
export function tsvectorOf(kind: ActorKind, { words }: StoredDocument): string {
  const listed = [...words].map(
    ([word, places]) =>
      `${quoted(word)}:${places.map(({ place, inTitle }) => `${place}${inTitle ? 'A' : ''}`).join(',')}`,
  )
  return [quoted(kindWord(kind)), ...listed].join(' ')
}

/** As tsvector and tsquery take a word of any letters. */
export function quoted(word: Lexeme): string {
  return `'${word.replace(/['\\]/g, '$&$&')}'`
}
