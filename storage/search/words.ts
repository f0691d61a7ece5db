/**
 * Splits texts into searchable words. Stored texts and queries are split in the same way, by the program and not by the database.
 * So `gateway/http.ts`, `my-repo`, `com.example.App` and `fetchUserName` are found by their parts under any locale.
 *
 * A run of letters and digits is a word. If capitals or digits divide it, its parts are words too, and so are neighboring parts
 * together: `iPhone15` is found by `phone`, `15`, `iPhone`, `phone15` and itself. Scripts without spaces are split into pairs of
 * letters. An emoji is a word.
 */

/** Folded text of a word. */
export type Lexeme = string

/** One position in a text, with all words that are found there. */
export type Place = readonly Lexeme[]

/** One word of a query. One of the alternatives must be present, and its parts must follow each other directly. */
export type Term = readonly (readonly Lexeme[])[]

// ー and 々 belong to several scripts or to none.
const unspaced = '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}'
const letter = '[\\p{L}\\p{N}\\p{M}]'
const runs = new RegExp(
  `(?<unspaced>(?:(?=[${unspaced}])${letter})+)|(?<run>(?:(?![${unspaced}])${letter})+)|(?<sign>\\p{Extended_Pictographic})`,
  'gu',
)
const humps = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u

/** A run with more parts is a hash or an ID. No user searches for a part of one. */
const mostParts = 5
/** The number of letters of a word that are compared. */
const longest = 80

const accents = /[\u0300-\u036f]/g

/** Removes capitals, accents, and variants of one letter that only look different. */
export function fold(text: string): string {
  return text.toLowerCase().normalize('NFKD').replace(accents, '').normalize('NFKC').toLowerCase()
}

/** Makes a text fit to be stored and shown: well-formed, without control characters, and at most `max` characters long. */
export function tidy(text: string, max: number): string {
  const plain = text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  // A surrogate pair that is cut in two would leave a lone surrogate.
  return plain.length > max ? plain.slice(0, max).replace(/[\ud800-\udbff]$/, '') : plain
}

/** The positions of a text, in order. */
export function placesOf(text: string): readonly Place[] {
  return [...tokensOf(text)].flatMap((token): Place[] => {
    if (token.type === 'unspaced') return pairsOf(token.text, true).map((pair) => [pair])
    const parts = partsOf(token.text)
    const forms = parts.flatMap((_, from) =>
      parts.slice(from).map((_, more) => lexeme(parts.slice(from, from + more + 1).join(''))),
    )
    return [[...new Set(forms)].filter((form) => form !== '')]
  })
}

/** The words of a query, in order. */
export function termsOf(text: string): readonly Term[] {
  return [...tokensOf(text)].flatMap((token): Term[] => {
    if (token.type === 'unspaced') return pairsOf(token.text, false).map((pair) => [[pair]])
    const parts = partsOf(token.text)
    const whole = [lexeme(token.text)]
    // Accents without a letter.
    if (whole[0] === '') return []
    return [parts.length === 1 ? [whole] : [whole, parts.map(lexeme)]]
  })
}

interface Token {
  readonly type: 'unspaced' | 'run'
  readonly text: string
}

function* tokensOf(text: string): Generator<Token> {
  for (const { groups = {} } of text.normalize('NFKC').matchAll(runs)) {
    if (groups.unspaced !== undefined) yield { type: 'unspaced', text: groups.unspaced }
    else yield { type: 'run', text: groups.run ?? groups.sign ?? '' }
  }
}

function partsOf(run: string): readonly string[] {
  const parts = run.split(humps)
  return parts.length > mostParts ? [run] : parts
}

/** Stored texts also get the last letter alone, so that a query of one letter, which is a prefix, finds a pair that begins with it. */
function pairsOf(text: string, stored: boolean): readonly Lexeme[] {
  const letters = [...fold(text)]
  const pairs = letters.slice(0, -1).map((one, index) => one + letters[index + 1])
  const last = letters.at(-1)
  return last !== undefined && (stored || pairs.length === 0) ? [...pairs, last] : pairs
}

function lexeme(text: string): Lexeme {
  return fold(text).slice(0, longest).toWellFormed()
}
