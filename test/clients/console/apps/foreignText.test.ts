/** Texts that senders choose: characters that cannot be seen are named, and all others stay as they are. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showControls, splitControls } from '../../../../clients/console/app/parts/splitControls.ts'

const cases: Readonly<Record<string, readonly [text: string, shown: string]>> = {
  'a text without invisible characters': ['Shop.CartView.body', 'Shop.CartView.body'],
  'the empty text': ['', ''],
  'an override of the writing direction': ['evil\u202egpj.exe', 'evilU+202Egpj.exe'],
  'isolates and marks of the direction': ['\u2066a\u2069\u200f\u061c', 'U+2066aU+2069U+200FU+061C'],
  'control characters of both ranges': ['a\u0000b\u001b[31mc\u0085\u009b', 'aU+0000bU+001B[31mcU+0085U+009B'],
  'characters without a width': ['pay\u200bpal\ufeff\u2060', 'payU+200BpalU+FEFFU+2060'],
  'tags outside of the basic plane': ['a\u{e0041}b', 'aU+E0041b'],
  'tabs and line ends': ['a\tb\nc\r\nd', 'a\tb\nc\r\nd'],
  'other scripts': ['شراء購入कार्ट', 'شراء購入कार्ट'],
  'an emoji that a joiner connects': ['👩\u200d🚀', '👩\u200d🚀'],
}

for (const [title, [text, shown]] of Object.entries(cases))
  test(`${title}: invisible characters are shown by their code, and all others stay`, () => {
    assert.equal(showControls(text), shown)
    assert.equal(
      splitControls(text)
        .map((piece) => piece.text)
        .join(''),
      text,
    )
  })

test('each invisible character is a piece of its own', () => {
  assert.deepEqual(splitControls('a\u202e\u202eb'), [
    { text: 'a', isControl: false },
    { text: '\u202e', isControl: true },
    { text: '\u202e', isControl: true },
    { text: 'b', isControl: false },
  ])
})
