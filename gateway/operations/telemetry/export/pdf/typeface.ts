/**
 * The letters of a PDF: Noto Sans JP, which has Japanese, Latin and Cyrillic, under the SIL Open Font License. Widths are measured
 * here and remembered by character: shaping every line to measure it would cost more than all the rest.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import * as fontkit from 'fontkit'

const require = createRequire(import.meta.url)
const file = (name: string): string => require.resolve(`@expo-google-fonts/noto-sans-jp/${name}`)
export const regularFile = file('400Regular/NotoSansJP_400Regular.ttf')
export const boldFile = file('700Bold/NotoSansJP_700Bold.ttf')

/** Stands for a character without a glyph, as Japanese printers have it. */
export const missingSign = '〓'

/** They join or vary their neighbours and show nothing themselves. */
const joiners = /\u200b|\u200c|\u200d|\u2060|\ufeff|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu

export class Typeface {
  readonly data: Buffer
  readonly #font: fontkit.Font
  /** By code point, in units of the size; undefined where there is no glyph. */
  readonly #widths = new Map<number, number | undefined>()
  #missed = false

  constructor(path: string) {
    this.data = readFileSync(path)
    const made = fontkit.create(this.data)
    if (!('layout' in made)) throw new Error(`${path} holds several fonts`)
    this.#font = made
  }

  /** Whether a character had no glyph so far. */
  get missed(): boolean {
    return this.#missed
  }

  /** The text in characters that there are glyphs for. */
  drawable(text: string): string {
    let drawn = ''
    for (const character of text.replace(joiners, '').replaceAll('\t', '    ')) {
      const known = character === '\n' || this.#advance(character) !== undefined
      if (!known) this.#missed = true
      drawn += known ? character : missingSign
    }
    return drawn
  }

  /** In points, of one drawable character at a size in points. */
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
