/** The facts of an Info.plist, as XML and in the binary format, and property lists that are made to harm their reader. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readInfoPlist } from '../../../../gateway/operations/apps/indexing/infoPlist.ts'
import { PlistProblem } from '../../../../gateway/operations/apps/indexing/plistProblem.ts'
import { warnOfLink } from '../../../../gateway/operations/apps/indexing/warnOfLink.ts'
import { type BinaryObject, writeBinaryPlist } from '../../../kit/program/objects/binaryPlists.ts'
import { infoPlist } from '../../../kit/program/objects/dsymZips.ts'

const facts = { bundleIdentifier: 'org.example.shop', version: '1.2', build: '34' }
const readText = (text: string) => readInfoPlist(Buffer.from(text))
const xmlOf = (entries: string) => `<?xml version="1.0"?><plist version="1.0"><dict>${entries}</dict></plist>`
const versionOf = (value: string) => readText(xmlOf(`<key>CFBundleShortVersionString</key>${value}`)).version

describe('an Info.plist as XML', () => {
  test('is read, whatever other values it has', () => {
    assert.deepEqual(readText(infoPlist('org.example.shop')), facts)
    const doctype =
      '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">'
    const others =
      '<key>A</key><array><dict><key>CFBundleVersion</key><string>9</string></dict></array><key>B</key><true/>'
    const text = infoPlist('org.example.shop')
      .replace('<plist', `${doctype}<!-- a --><plist`)
      .replace('<dict>', `<dict>${others}`)
    assert.deepEqual(readText(text), facts)
  })

  test('can have texts with entities and CDATA, and numbers', () => {
    assert.equal(versionOf('<string>a&amp;b<![CDATA[<c>]]>&#100;</string>'), 'a&b<c>d')
    assert.equal(versionOf('<integer>34</integer>'), '34')
    assert.equal(versionOf('<string/>'), '0')
    assert.equal(versionOf('<array><string>1</string></array>'), '0')
  })

  test('that is damaged, or has hostile entities or elements, is refused, and nothing is printed', (t) => {
    const printed = ['log', 'warn', 'error'].map((level) => t.mock.method(console, level as 'log', () => {}))
    const deep = '<array>'.repeat(100_000)
    const entities = `<!DOCTYPE plist [<!ENTITY a "${'b'.repeat(100)}"><!ENTITY c "${'&a;'.repeat(1_000)}">]>`
    const hostile = [
      ...['', 'text', '{ CFBundleVersion = 1; }', '<plist>', '<plist/>', '<plist><array/></plist>', '<html></html>'],
      ...[xmlOf(`<key>A</key>${deep}`), xmlOf('</dict>'), xmlOf('<key>A</key><string>&none;</string>')],
      infoPlist('org.example.shop').replace('<plist', `${entities}<plist`).replace('1.2', '&c;'),
    ]
    for (const text of hostile) assert.throws(() => readText(text), PlistProblem, text.slice(0, 100))
    assert.ok(printed.every(({ mock }) => mock.callCount() === 0))
  })
})

describe('an Info.plist in the binary format', () => {
  const keys = ['CFBundleIdentifier', 'CFBundleShortVersionString', 'CFBundleVersion'].map(
    (text): BinaryObject => ({ text }),
  )
  const top: BinaryObject = { keys: [1, 2, 3], values: [4, 5, 6] }
  const values = ['com.apple.xcode.dsym.org.example.shop', '1.2', '34'].map((text): BinaryObject => ({ text }))
  const withVersion = (version: BinaryObject, ...more: readonly BinaryObject[]) =>
    readInfoPlist(writeBinaryPlist([top, ...keys, ...values.with(1, version), ...more])).version

  test('is read', () => {
    assert.deepEqual(readInfoPlist(writeBinaryPlist([top, ...keys, ...values])), facts)
    assert.equal(withVersion({ text: '1.2 Größe 大 😀' }), '1.2 Größe 大 😀')
    assert.equal(withVersion({ bytes: Buffer.from([0x11, 1, 2]) }), '258')
    assert.equal(withVersion({ bytes: Buffer.from('23401c000000000000', 'hex') }), '7')
    assert.equal(withVersion({ text: 'x'.repeat(70_000) }), 'x'.repeat(100))
  })

  test('with objects that refer to each other endlessly is read within 5 s', { timeout: 5_000 }, () => {
    const doubled = Array.from({ length: 60 }, (_, index): BinaryObject => ({ array: [8 + index, 8 + index] }))
    assert.equal(withVersion({ array: [7, 7] }, ...doubled, { text: 'x' }), '0')
    assert.equal(withVersion({ array: [5, 0] }), '0')
  })

  test('that is damaged anywhere is read or refused', () => {
    const original = writeBinaryPlist([top, ...keys, ...values])
    const outcomes = { read: 0, refused: 0 }
    for (let at = 0; at < original.length; at++)
      for (const value of [0, 1, 0x5f, 0x7f, 0x80, 0xdf, 0xff]) {
        const bytes = Buffer.from(original)
        bytes[at] = value
        try {
          readInfoPlist(bytes)
          outcomes.read++
        } catch (error) {
          assert.ok(error instanceof PlistProblem, String(error))
          outcomes.refused++
        }
      }
    for (let length = 0; length < original.length; length++)
      assert.throws(
        () => readInfoPlist(Buffer.concat([Buffer.from('bplist'), original.subarray(6, length)])),
        PlistProblem,
      )
    assert.ok(outcomes.read > 300 && outcomes.refused > 100, JSON.stringify(outcomes))
  })
})

test('a version has whole characters, and none that hides others', () => {
  assert.equal(versionOf(`<string>${'x'.repeat(99)}😀</string>`), 'x'.repeat(99))
  assert.equal(versionOf('<string> 1\u202e.\u20282\u0085 </string>'), '1.2')
})

test('a warning about a link has a path that can be stored and shown', () => {
  const { bundle, message } = warnOfLink(`a\0\u202e.dSYM/Contents/Resources/DWARF/${'x'.repeat(60_000)}`)
  assert.equal(bundle, 'a\ufffd\ufffd.dSYM')
  assert.match(message, /^a\ufffd\ufffd\.dSYM\/Contents\/Resources\/DWARF\/x+… is a link\./)
  assert.ok(message.length < 400)
})
