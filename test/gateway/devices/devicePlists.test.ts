/** The parts that read what devices and browsers send. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readPlist } from '../../../gateway/operations/devices/enrollment/readPlist.ts'
import { writePlist } from '../../../gateway/operations/devices/enrollment/writePlist.ts'
import { negotiateLocale } from '../../../spec/messages/negotiateLocale.ts'

const head =
  '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n'
const entries = '<key>a</key><string>b</string>'
const read = (text: string) => {
  const plist = readPlist(Buffer.from(text))
  return plist && Object.fromEntries(plist)
}

describe('a property list', () => {
  const understood: readonly (readonly [words: string, text: string, means: Record<string, string>])[] = [
    [
      'as Apple writes it',
      `${head}<plist version="1.0">\n<dict>\n\t<key>a</key>\n\t<string>b</string>\n</dict>\n</plist>\n`,
      { a: 'b' },
    ],
    ['without its head', `<plist><dict>${entries}</dict></plist>`, { a: 'b' }],
    ['after a byte order mark', `\ufeff<plist><dict>${entries}</dict></plist>`, { a: 'b' }],
    ['without entries', '<plist><dict></dict></plist>', {}],
    [
      'with values of other kinds',
      '<plist><dict><key>a</key><integer>1</integer><key>b</key><true/><key>c</key><string/></dict></plist>',
      { a: '1', b: '', c: '' },
    ],
    [
      'with references of XML',
      '<plist><dict><key>a&amp;</key><string>&lt;&#65;&#x1F4F1;&quot;&apos;</string></dict></plist>',
      { 'a&': '<A📱"\'' },
    ],
    [
      'with a reference to a reference',
      '<plist><dict><key>a</key><string>&amp;lt;</string></dict></plist>',
      { a: '&lt;' },
    ],
    [
      'with the key __proto__',
      '<plist><dict><key>__proto__</key><string>b</string></dict></plist>',
      JSON.parse('{"__proto__":"b"}'),
    ],
  ]
  for (const [words, text, means] of understood) test(words, () => assert.deepEqual(read(text), means))

  const refused: readonly (readonly [words: string, text: string])[] = [
    ['no text', ''],
    ['JSON', '{"a":"b"}'],
    ['the form of OpenStep', '{ a = b; }'],
    ['the binary form', 'bplist00'],
    ['a list', '<plist><array><string>a</string></array></plist>'],
    ['a dictionary in it', `<plist><dict><key>a</key><dict>${entries}</dict></dict></plist>`],
    ['two dictionaries', `<plist><dict>${entries}</dict><dict>${entries}</dict></plist>`],
    ['two lists', `<plist><dict>${entries}</dict></plist><plist><dict>${entries}</dict></plist>`],
    ['a key twice', `<plist><dict>${entries}${entries}</dict></plist>`],
    ['a key without a value', '<plist><dict><key>a</key></dict></plist>'],
    ['a value without a key', '<plist><dict><string>a</string></dict></plist>'],
    ['text between its elements', `<plist><dict>x${entries}</dict></plist>`],
    ['no end', `<plist><dict>${entries}`],
    ['a comment', `<plist><!-- --><dict>${entries}</dict></plist>`],
    ['CDATA', '<plist><dict><key>a</key><string><![CDATA[b]]></string></dict></plist>'],
    [
      'an entity of its own',
      `<!DOCTYPE plist [<!ENTITY b "c">]><plist><dict><key>a</key><string>&b;</string></dict></plist>`,
    ],
    ['an entity without a declaration', '<plist><dict><key>a</key><string>&b;</string></dict></plist>'],
    ['a reference to no character', '<plist><dict><key>a</key><string>&#x110000;</string></dict></plist>'],
    ['a reference to the character 0', '<plist><dict><key>a</key><string>&#0;</string></dict></plist>'],
    ['an attribute', '<plist><dict><key>a</key><string x="y">b</string></dict></plist>'],
    ['an end tag of another element', '<plist><dict><key>a</key><string>b</integer></dict></plist>'],
  ]
  for (const [words, text] of refused)
    test(`is refused if it is or has ${words}`, () => assert.equal(read(text), undefined))

  test('is refused if it is not UTF-8', () => assert.equal(readPlist(Buffer.from([0x3c, 0xff, 0xfe])), undefined))

  test('is refused within a second even if its text is built to be slow', () => {
    const begun = performance.now()
    for (const text of [
      ' '.repeat(32_000),
      '<plist>'.repeat(4_000),
      `<plist><dict>${'<key>'.repeat(6_000)}`,
      '&'.repeat(32_000),
    ])
      assert.equal(read(text), undefined)
    assert.equal(read(`<plist><dict><key>a</key><string>${' &amp;'.repeat(5_000)}`), undefined)
    assert.ok(performance.now() - begun < 1_000)
  })

  test('has the same values when it is written and read again', () => {
    const values = { 'a<b>': 'x & "y" <z>', c: 'https://box.example/?a=b&c=d' }
    assert.deepEqual(read(writePlist(values)), values)
  })
})

describe('the language for Accept-Language', () => {
  for (const [accepted, language] of [
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['pt-BR', 'en'],
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['pt, fr;q=0.5, es;q=0.7', 'es'],
    ['JA-jp', 'ja'],
    ['de;q=0', 'en'],
    ['en;q=0.5, fr;q=x', 'en'],
    ['constructor, de', 'de'],
  ] as const)
    test(`"${accepted}" is ${language}`, () => assert.equal(negotiateLocale(accepted), language))
})
