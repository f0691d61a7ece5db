/** Words are found in a log wherever it is cut, and while it grows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { LogChunk } from '../../../../clients/console/app/runs/log/logChunk.ts'
import { LogLines } from '../../../../clients/console/app/runs/log/logLines.ts'
import { LogSearch, maxMatches } from '../../../../clients/console/app/runs/log/logSearch.ts'

const chunk = (text: string, stream: LogChunk['stream'] = 'STDOUT'): LogChunk => ({
  sequence: 0,
  stream,
  at: '2026-11-25T10:00:00.000Z',
  dataBase64: Buffer.from(text).toString('base64'),
})

function all(search: LogSearch): readonly number[] {
  const found: number[] = []
  do found.push(...search.searchNext())
  while (!search.done)
  return found.sort((a, b) => a - b)
}

test('each line with the text is found once, in upper or lower case, and across colors', () => {
  const lines = new LogLines()
  lines.add(chunk('an Error\nfine\n\u001b[31mer\u001b[1mror\u001b[0m error\nÉRROR: Écran\nlast error'))
  assert.deepEqual(all(new LogSearch(lines, 'ERROR')), [0, 2])
  assert.deepEqual(all(new LogSearch(lines, 'écran')), [3])
  assert.deepEqual(new LogSearch(lines, 'last').matchOpenLines(), [4], 'an unfinished line is found as it is')
})

test('text that arrives later is found when the search continues', () => {
  const lines = new LogLines()
  lines.add(chunk('one nee'))
  const search = new LogSearch(lines, 'needle')
  assert.deepEqual(all(search), [])
  lines.add(chunk('wrong\n', 'STDERR'))
  lines.add(chunk('dle\nneedle\n'))
  assert.deepEqual(all(search), [0, 2])
  assert.deepEqual(search.searchNext(), [])
})

test('a search ends at the maximum number of matches', () => {
  const lines = new LogLines()
  for (let piece = 0; piece < 15; piece++) lines.add(chunk('x\n'.repeat(10_000)))
  const search = new LogSearch(lines, 'x')
  assert.equal(all(search).length, maxMatches)
  assert.equal(search.done, true)
})

test('a search during the output finds the same lines as a search at the end', () => {
  const pieces = fc.array(fc.constantFrom('ab', 'b', 'A', '\n', '\r', '\u001b[1m', 'long '.repeat(20_000)), {
    maxLength: 8,
  })
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('STDOUT', 'STDERR'), pieces, fc.boolean()), { maxLength: 30 }),
      (told) => {
        const lines = new LogLines()
        const search = new LogSearch(lines, 'abb')
        const found: number[] = []
        for (const [stream, texts, look] of told) {
          lines.add(chunk(texts.join(''), stream as LogChunk['stream']))
          if (look) found.push(...search.searchNext())
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
