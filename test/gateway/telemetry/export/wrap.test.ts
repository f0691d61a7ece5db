/** Lines of a PDF: no wider than their column, nothing lost, and Japanese broken where it may be. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { missingSign, regularFile, Typeface } from '../../../../gateway/operations/telemetry/export/pdf/typeface.ts'
import { computeWidths } from '../../../../gateway/operations/telemetry/export/pdf/widths.ts'
import { wrap } from '../../../../gateway/operations/telemetry/export/pdf/wrap.ts'
import { columnOf } from '../../../../spec/telemetry/columns.ts'

/** Japanese characters are as wide as two Latin ones. */
const widthOf = (character: string): number => (character > '\u2e80' ? 2 : 1)

const cases: readonly [words: string, text: string, most: number, lines: readonly string[]][] = [
  ['an empty text is one empty line', '', 10, ['']],
  ['a text that fits is one line', 'one two', 10, ['one two']],
  ['words stay whole', 'one two three', 8, ['one two', 'three']],
  ['a blank at the end takes no room', 'one two three', 7, ['one two', 'three']],
  ['a word that is too long is cut', 'abcdefghijkl', 5, ['abcde', 'fghij', 'kl']],
  ['a path breaks at its slashes', 'a/long/path', 7, ['a/long/', 'path']],
  ['line ends are kept', 'a\n\nb', 10, ['a', '', 'b']],
  ['Japanese breaks between characters', '吾輩は猫である', 8, ['吾輩は猫', 'である']],
  ['a full stop begins no line', '吾輩は猫。名前', 8, ['吾輩は', '猫。名前']],
  ['a small letter begins no line', 'これはチャット', 8, ['これは', 'チャット']],
  ['an opening bracket ends no line', '吾輩は「猫」だ', 8, ['吾輩は', '「猫」だ']],
  ['a Latin word within Japanese stays whole', '名前はSignalboxです', 10, ['名前は', 'Signalbox', 'です']],
  ['a character that is wider than the column has its own line', '日本', 1, ['日', '本']],
  ['an accent stays with its letter', `${'e\u0301'.repeat(3)}`, 2, ['e\u0301', 'e\u0301', 'e\u0301']],
]
for (const [words, text, most, lines] of cases) {
  test(words, () => assert.deepEqual(wrap(text, most, widthOf), lines))
}

test('the lines of any text are no wider than the column and contain the whole text', () => {
  const unit = fc.constantFrom('a', 'b', ' ', '-', '日', '本', '。', '「', 'ャ', '\n', '😀')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 60 }), fc.integer({ min: 2, max: 12 }), (text, most) => {
      const lines = wrap(text, most, widthOf)
      for (const line of lines) {
        const width = Array.from(line).reduce((sum, character) => sum + widthOf(character), 0)
        assert.ok(width <= most, `${JSON.stringify(line)} is ${width} wide`)
      }
      assert.equal(lines.join('').replaceAll(' ', ''), text.replace(/[ \n]/g, ''))
    }),
    { numRuns: 2_000 },
  )
})

test('characters without a glyph are replaced and reported as missing', () => {
  const typeface = new Typeface(regularFile)
  assert.equal(typeface.replaceMissing('日本語 Grüße œuvre Привет 髙﨑'), '日本語 Grüße œuvre Привет 髙﨑')
  assert.equal(typeface.hasMissing, false)
  assert.equal(typeface.replaceMissing('a\tb😀ש👩\u200d👧\ufe0f'), `a    b${missingSign.repeat(4)}`)
  assert.equal(typeface.hasMissing, true)
  assert.equal(typeface.replaceMissing(missingSign), missingSign)
})

test('columns fill the page, and times have enough space', () => {
  const textWidth = (text: string): number => text.length * 4
  for (const names of [
    ['timestamp'],
    ['body'],
    ['timestamp', 'severityText', 'body', 'sessionId', 'attributes', 'attributes.x', 'traceId', 'recordId'],
  ]) {
    const columns = names.flatMap((name) => columnOf(name) ?? [])
    const widths = computeWidths(columns, 770, 8, '2026-11-20 10:00:00', textWidth)
    assert.equal(Math.round(widths.reduce((sum, width) => sum + width, 0)), 770)
    assert.ok(widths.every((width) => width > 30))
  }
  const [time = 0] = computeWidths(
    [
      { type: 'plain', name: 'timestamp' },
      { type: 'plain', name: 'body' },
    ],
    770,
    8,
    '2026-11-20 10:00:00',
    textWidth,
  )
  assert.ok(time >= 19 * 4 + 8)
})
