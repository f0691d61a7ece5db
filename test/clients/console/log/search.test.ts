/** Words are found in a log wherever it is cut, and while it grows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Chunk } from '../../../../clients/console/app/runs/log/chunk.ts'
import { Lines } from '../../../../clients/console/app/runs/log/lines.ts'
import { mostFound, Search } from '../../../../clients/console/app/runs/log/search.ts'

const chunk = (text: string, stream: Chunk['stream'] = 'STDOUT'): Chunk => ({
  sequence: 0,
  stream,
  dataBase64: Buffer.from(text).toString('base64'),
})

function all(search: Search): readonly number[] {
  const found: number[] = []
  do found.push(...search.step())
  while (!search.done)
  return found.sort((a, b) => a - b)
}

test('lines with the words are found, in capitals or not, through colours, each once', () => {
  const lines = new Lines()
  lines.add(chunk('an Error\nfine\n\u001b[31mer\u001b[1mror\u001b[0m error\nÉRROR: Écran\nlast error'))
  assert.deepEqual(all(new Search(lines, 'ERROR')), [0, 2])
  assert.deepEqual(all(new Search(lines, 'écran')), [3])
  assert.deepEqual(new Search(lines, 'last').inOpen(), [4], 'a line that goes on is found as it stands')
})

test('what comes later is found by going on', () => {
  const lines = new Lines()
  lines.add(chunk('one nee'))
  const search = new Search(lines, 'needle')
  assert.deepEqual(all(search), [])
  lines.add(chunk('wrong\n', 'STDERR'))
  lines.add(chunk('dle\nneedle\n'))
  assert.deepEqual(all(search), [0, 2])
  assert.deepEqual(search.step(), [])
})

test('nobody steps through more than so many', () => {
  const lines = new Lines()
  for (let piece = 0; piece < 15; piece++) lines.add(chunk('x\n'.repeat(10_000)))
  const search = new Search(lines, 'x')
  assert.equal(all(search).length, mostFound)
  assert.equal(search.done, true)
})

test('a search that goes along finds what one at the end finds', () => {
  const pieces = fc.array(fc.constantFrom('ab', 'b', 'A', '\n', '\r', '\u001b[1m', 'long '.repeat(20_000)), {
    maxLength: 8,
  })
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('STDOUT', 'STDERR'), pieces, fc.boolean()), { maxLength: 30 }),
      (told) => {
        const lines = new Lines()
        const search = new Search(lines, 'abb')
        const found: number[] = []
        for (const [stream, texts, look] of told) {
          lines.add(chunk(texts.join(''), stream as Chunk['stream']))
          if (look) found.push(...search.step())
        }
        lines.add(chunk('{}', 'END'))
        found.push(...all(search))
        const expected = Array.from({ length: lines.count }, (_, line) => line).filter((line) =>
          lines.textAt(line).replaceAll('\u001b[1m', '').toLowerCase().includes('abb'),
        )
        assert.deepEqual(
          found.sort((a, b) => a - b),
          expected,
        )
      },
    ),
    { numRuns: 200 },
  )
})
