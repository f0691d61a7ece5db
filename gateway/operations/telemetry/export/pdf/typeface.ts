/**
 * The font of the PDF: Noto Sans JP, which has Japanese, Latin and Cyrillic, under the SIL Open Font License. The width of each
 * character is measured once and cached: shaping every line to measure it would cost more than the rest of the export.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import * as fontkit from 'fontkit'

const require = createRequire(import.meta.url)
const file = (name: string): string => require.resolve(`@expo-google-fonts/noto-sans-jp/${name}`)
export const regularFile = file('400Regular/NotoSansJP_400Regular.ttf')
export const boldFile = file('700Bold/NotoSansJP_700Bold.ttf')

/** Replaces a character without a glyph. Japanese printers use this sign. */
export const missingSign = '〓'

/** Characters that join or vary adjacent characters, and are invisible themselves. */
const joiners = /\u200b|\u200c|\u200d|\u2060|\ufeff|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu

export class Typeface {
  readonly data: Buffer
  readonly #font: fontkit.Font
  /** Widths by code point, for size 1. Undefined if the font has no glyph. */
  readonly #widths = new Map<number, number | undefined>()
  #missed = false

  constructor(path: string) {
    this.data = readFileSync(path)
    const made = fontkit.create(this.data)
    if (!('layout' in made)) throw new Error(`${path} contains several fonts, but one is required`)
    this.#font = made
  }

  /** Whether the text so far contained a character without a glyph. */
  get hasMissing(): boolean {
    return this.#missed
  }

  /** The text with `missingSign` for each character without a glyph. */
  replaceMissing(text: string): string {
    let drawn = ''
    for (const character of text.replace(joiners, '').replaceAll('\t', '    ')) {
      const known = character === '\n' || this.#advance(character) !== undefined
      if (!known) this.#missed = true
      drawn += known ? character : missingSign
    }
    return drawn
  }

  /** The width of one drawable character, in points. @param size in points */
  width(character: string, size: number): number {
    return (this.#advance(character) ?? 1) * size
  }

  textWidth(text: string, size: number): number {
    let sum = 0
    for (const character of text) sum += this.width(character, size)
    return sum
  }

  #advance(character: string): number | undefined {
    const point = character.codePointAt(0) ?? 0
    if (this.#widths.has(point)) return this.#widths.get(point)
    const has = this.#font.hasGlyphForCodePoint(point)
    const width = has ? this.#font.glyphForCodePoint(point).advanceWidth / this.#font.unitsPerEm : undefined
    this.#widths.set(point, width)
    return width
  }
}
