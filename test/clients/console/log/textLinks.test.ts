/** Web addresses in a line. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitLinks } from '../../../../clients/console/app/runs/log/textLinks.ts'

const linksIn = (text: string) =>
  splitLinks(text)
    .filter(({ isLink }) => isLink)
    .map((part) => part.text)

test('an address ends before the punctuation around it', () => {
  assert.deepEqual(linksIn('see https://example.com/a?b=1#c.'), ['https://example.com/a?b=1#c'])
  assert.deepEqual(linksIn('(http://localhost:3000/), "https://x.example" and <https://y.example>'), [
    'http://localhost:3000/',
    'https://x.example',
    'https://y.example',
  ])
})

test('only web addresses are links', () => {
  assert.deepEqual(linksIn('javascript://alert(1) ftp://x.example mailto:a@b.example https:// http://['), [])
})

test('the parts together are the whole text', () => {
  for (const text of ['', 'plain', 'a https://b.example c', 'https://b.example', '://', 'https://[bad'])
    assert.equal(
      splitLinks(text)
        .map((part) => part.text)
        .join(''),
      text,
    )
})
