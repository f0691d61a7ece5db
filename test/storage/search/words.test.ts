/** How texts become words: what is stored of them, and what of a question must be there. */
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { questionOf, tsqueryOf } from '../../../storage/search/question.ts'
import { fold, placesOf, termsOf, tidy } from '../../../storage/search/words.ts'

const stored: readonly (readonly [text: string, ...places: string[][]])[] = [
  [''],
  ['?!'],
  ['Fix the page', ['fix'], ['the'], ['page']],
  ['src/http.ts', ['src'], ['http'], ['ts']],
  ['userName', ['user', 'username', 'name']],
  ['HTTPServer', ['http', 'httpserver', 'server']],
  ['iPhone15', ['i', 'iphone', 'iphone15', 'phone', 'phone15', '15']],
  ['01jabc9z8y7x6', ['01jabc9z8y7x6']],
  ['設定変更', ['設定'], ['定変'], ['変更'], ['更']],
  ['v2の設定', ['v', 'v2', '2'], ['の設'], ['設定'], ['定']],
  ['Größe ｶﾞ', ['große'], ['ガ']],
  ['🚀deploy', ['🚀'], ['deploy']],
]
for (const [text, ...places] of stored) {
  test(`the stored words of: ${text || 'an empty text'}`, () => deepEqual(placesOf(text), places))
}

test('capitals, accents and other forms of one letter do not matter', () => {
  deepEqual(['Größe', 'ÉCOLE', 'Ｆｕｌｌ', 'ﬁn', 'Ёлка', 'が'].map(fold), [
    'große',
    'ecole',
    'full',
    'fin',
    'елка',
    'が',
  ])
})

const asked: readonly (readonly [text: string, ...terms: string[][][]])[] = [
  ['fix page', [['fix']], [['page']]],
  ['userName', [['username'], ['user', 'name']]],
  ['設定変更', [['設定']], [['定変']], [['変更']]],
  ['設', [['設']]],
  ['\u0301 !'],
]
for (const [text, ...terms] of asked) test(`the searched words of: ${text}`, () => deepEqual(termsOf(text), terms))

const queries: Readonly<Record<string, string | null>> = {
  'fix pa': "('fix' & 'pa':*)",
  'fix p': "('fix' & 'p')",
  userName: "('username':* | ('user' <-> 'name':*))",
  '!': null,
}
for (const [text, query] of Object.entries(queries)) {
  test(`the query for PostgreSQL of: ${text}`, () => equal(tsqueryOf(questionOf({ text, limit: 1 })), query))
}

test('kinds are words that no text has', () => {
  equal(
    tsqueryOf(questionOf({ text: 'a bc', kinds: ['run', 'agent'], limit: 1 })),
    "('a' & 'bc':* & ('=run' | '=agent'))",
  )
  deepEqual(placesOf('=run'), [['run']])
})

test('a search uses at most the first 12 words', () => {
  const text = Array.from({ length: 20 }, (_, index) => `w${'x'.repeat(index)}`).join(' ')
  equal(questionOf({ text, limit: 1 }).terms.length, 12)
})

test('a stored text is well-formed, has one line, and is at most as long as its limit', () => {
  equal(tidy(' a\tb\r\n\u0007c\0 d\ud800 ', 100), 'a b c d\ufffd')
  const cut = tidy('🦊'.repeat(10), 5)
  ok(cut.isWellFormed())
  equal(cut, '🦊🦊')
})
