/** How a cell is written: for people of a language and a time zone, and so that nothing in it acts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CellWriter } from '../../../../gateway/operations/telemetry/export/cells.ts'
import { escapeFormula } from '../../../../gateway/operations/telemetry/export/csv.ts'
import { escapeControls } from '../../../../gateway/operations/telemetry/export/escapeControls.ts'
import { escapeText } from '../../../../gateway/operations/telemetry/export/markdown.ts'
import { locales } from '../../../../spec/pages/locales.ts'
import { columnOf, plainColumns } from '../../../../spec/telemetry/columns.ts'
import { aRecord } from './record.ts'

const at = Date.UTC(2026, 2, 29, 0, 59, 59, 7)

const dates: readonly [locale: (typeof locales)[number], timeZone: string, date: string, number: string][] = [
  ['en', 'UTC', '03/29/2026, 00:59:59.007', '1,234,567.125'],
  ['de', 'Europe/Berlin', '29.03.2026, 01:59:59,007', '1.234.567,125'],
  ['fr', 'Europe/Paris', '29/03/2026 01:59:59,007', '1\u202f234\u202f567,125'],
  ['es', 'America/Bogota', '28/03/2026, 19:59:59,007', '1.234.567,125'],
  ['ja', 'Asia/Tokyo', '2026/03/29 09:59:59.007', '1,234,567.125'],
]
for (const [locale, timeZone, date, number] of dates) {
  test(`a date and a number in ${locale}, ${timeZone}`, () => {
    const writer = new CellWriter({ locale, timeZone })
    assert.equal(writer.date(at), date)
    assert.equal(writer.number(1_234_567.125), number)
  })
}

test('a time after the start of summer time is written as local clocks show it, and midnight as 00:00', () => {
  const berlin = new CellWriter({ locale: 'de', timeZone: 'Europe/Berlin' })
  assert.equal(berlin.date(at + 1_000), '29.03.2026, 03:00:00,007')
  assert.equal(new CellWriter({ locale: 'en', timeZone: 'UTC' }).date(Date.UTC(2026, 0, 1)), '01/01/2026, 00:00:00.000')
})

test('each language has a heading for each column, and the headings of times name the time zone', () => {
  for (const locale of locales) {
    const writer = new CellWriter({ locale, timeZone: 'Asia/Tokyo' })
    const headings = plainColumns.map((name) => writer.heading({ type: 'plain', name }))
    assert.equal(new Set(headings).size, plainColumns.length, locale)
    assert.ok(headings.slice(0, 2).every((heading) => heading.endsWith('(Asia/Tokyo)')))
  }
})

test('the cell of each column has its value', () => {
  const writer = new CellWriter({ locale: 'de', timeZone: 'UTC' })
  const record = aRecord({
    timestamp: at,
    severityNumber: 9,
    body: { text: 'x', list: [1, null] },
    attributes: { 'http.status': 1_234.5, flag: false, none: null, 'a.b': { c: 'd' } },
  })
  const cells: Readonly<Record<string, string>> = {
    timestamp: '29.03.2026, 00:59:59,007',
    severityNumber: '9',
    severityText: '',
    body: '{"text":"x","list":[1,null]}',
    resource: '',
    'attributes.http.status': '1.234,5',
    'attributes.flag': 'false',
    'attributes.none': '',
    'attributes.a.b': '{"c":"d"}',
    'attributes.toString': '',
    'resource.none': '',
  }
  for (const [name, text] of Object.entries(cells)) {
    const column = columnOf(name)
    assert.ok(column, name)
    assert.equal(writer.cell(column, record).text, text, name)
  }
  for (const name of ['nothing', 'attributes.', 'attribute.x', 'constructor', ''])
    assert.equal(columnOf(name), undefined)
})

test('control characters, and those that change the direction of text, are written as their code points', () => {
  assert.equal(escapeControls('\u001b[31mred\u0000\u007f\u0085'), '[U+001B][31mred[U+0000][U+007F][U+0085]')
  assert.equal(escapeControls('a\r\nb\rc\nd\te'), 'a\nb\nc\nd\te')
  assert.equal(escapeControls('\u202egnp.exe\u2066'), '[U+202E]gnp.exe[U+2066]')
  assert.equal(escapeControls('שלום 日本語 😀 e\u0301'), 'שלום 日本語 😀 e\u0301')
})

/** Texts that a spreadsheet would execute as a formula, and texts that it would not. */
const formulas: readonly [text: string, isOne: boolean][] = [
  ['=1+1', true],
  ['+1', true],
  ['-1', true],
  ['@SUM(A1)', true],
  ['\t=1', true],
  ['\tx', true],
  ['\nx', true],
  ['  =1+1', true],
  ['\u00a0=1', true],
  ['＝1+1', true],
  ['＋1', true],
  ['－1', true],
  ['＠x', true],
  ['=cmd|" /C calc"!A0', true],
  ['a=1', false],
  ['1-1', false],
  ["'=1", false],
  ['', false],
  [' ', false],
]
for (const [text, isOne] of formulas) {
  test(`${JSON.stringify(text)} is ${isOne ? 'escaped' : 'not changed'} for a spreadsheet`, () => {
    assert.equal(escapeFormula({ text, isGenerated: false }), isOne ? `'${text}` : text)
  })
}

test('a negative number is not escaped as a formula', () => {
  const writer = new CellWriter({ locale: 'en', timeZone: 'UTC' })
  const cell = writer.cell(
    { type: 'field', of: 'attributes', key: 'n' },
    aRecord({ attributes: { n: -5.5, text: '-5.5' } }),
  )
  assert.equal(escapeFormula(cell), '-5.5')
})

test('characters with a meaning in Markdown are escaped', () => {
  assert.equal(escapeText('a | b'), 'a \\| b')
  assert.equal(escapeText('[x](javascript:alert(1)) ![y](http://z)'), '\\[x\\](javascript:alert(1)) `![y](http://z)`')
  assert.equal(escapeText('<b>&lt;'), '\\<b\\>\\&lt;')
  assert.equal(escapeText(':smile: at 17:48:38'), '\\:smile: at 17:48:38')
  assert.equal(escapeText('one\ntwo  three\t four '), 'one<br>two three four')
  assert.equal(escapeText('WWW.example.com a@b.example'), '`WWW.example.com` `a@b.example`')
})
