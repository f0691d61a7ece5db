/**
 * Measures text without a browser. The widths (thousandths of the font's size) are Helvetica's, slightly increased, because the
 * reader's system font is unknown and most are wider. The padding of labels covers fonts that are even wider.
 */

const groups: Readonly<Record<number, string>> = {
  222: 'ijl',
  260: "'|",
  278: ' !,./:;I[\\]ft·',
  333: '()-`r"{}',
  389: '*°',
  500: 'Jckszvxy^',
  556: '#$0123456789?L_abdeghnopqu…–',
  584: '+<=>~',
  611: 'FTZ',
  667: '&ABEKPSVXY',
  722: 'CDHNRUw',
  778: 'GOQ',
  833: 'Mm',
  944: '%W',
  1015: '@—→',
}
const widths = new Map(
  Object.entries(groups).flatMap(([width, chars]) => [...chars].map((char) => [char, Number(width)])),
)
const widthFactor = 1.06
const boldFactor = 1.07
/** The width of characters that are not in the table: accents and Greek are narrower, CJK and emoji are as wide as high. */
const guessWidth = (char: string): number => ((char.codePointAt(0) ?? 0) < 0x1100 ? 620 : 1000)

export interface Font {
  readonly size: number
  readonly bold?: boolean
  /** Letter spacing, relative to the size. */
  readonly spacing?: number
}

export function measureText(text: string, { size, bold = false, spacing = 0 }: Font): number {
  let sum = 0
  for (const char of text)
    sum += (widths.get(char) ?? guessWidth(char)) * widthFactor * (bold ? boldFactor : 1) + spacing * 1000
  return (sum * size) / 1000
}
