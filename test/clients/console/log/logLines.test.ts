/** Bytes become lines, wherever they are cut. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { LogChunk } from '../../../../clients/console/app/runs/log/logChunk.ts'
import { LogLines } from '../../../../clients/console/app/runs/log/logLines.ts'

const chunk = (text: string | Uint8Array, stream: LogChunk['stream'] = 'STDOUT'): LogChunk => ({
  sequence: 0,
  stream,
  at: '2026-11-25T10:00:00.000Z',
  dataBase64: Buffer.from(text).toString('base64'),
})

function linesOf(...chunks: readonly LogChunk[]): readonly (readonly [string, string, number?])[] {
  const lines = new LogLines()
  for (const one of chunks) lines.add(one)
  return Array.from({ length: lines.count }, (_, line) => {
    const { stream = 'SYSTEM', text = '', omitted = 0 } = lines.at(line) ?? {}
    return omitted === 0 ? [stream, text] : [stream, text, omitted]
  })
}

test('a line continues in the next chunk', () => {
  assert.deepEqual(linesOf(chunk('one\ntw'), chunk('o\n'), chunk('three')), [
    ['STDOUT', 'one'],
    ['STDOUT', 'two'],
    ['STDOUT', 'three'],
  ])
})

test('empty lines count as lines', () => {
  assert.deepEqual(
    linesOf(chunk('a\n\n'), chunk('\nb')).map(([, text]) => text),
    ['a', '', '', 'b'],
  )
})

test('each stream has its own lines', () => {
  assert.deepEqual(linesOf(chunk('out '), chunk('wrong\n', 'STDERR'), chunk('again\n')), [
    ['STDOUT', 'out again'],
    ['STDERR', 'wrong'],
  ])
})

test('a carriage return restarts the line, as in a terminal', () => {
  assert.deepEqual(
    linesOf(chunk('10 %\r20 %'), chunk('\r30 %\r\nnext')).map(([, text]) => text),
    ['30 %', 'next'],
  )
})

test('the end of the log is not a line', () => {
  const lines = new LogLines()
  lines.add(chunk('{"chunks":1}', 'END'))
  assert.deepEqual([lines.count, lines.ended], [0, true])
})

test('the same bytes are the same lines, however they are cut', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀', '\n', '\r') }),
      fc.array(fc.nat(40)),
      (text, cuts) => {
        const bytes = Buffer.from(text)
        const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length]
        const pieces = places.slice(1).map((to, index) => chunk(bytes.subarray(places[index], to)))
        assert.deepEqual(linesOf(...pieces), linesOf(chunk(bytes)))
      },
    ),
  )
})

test('a line longer than any block is one line, of which the beginning is shown', () => {
  const pieces = Array.from({ length: 30 }, () => chunk('x'.repeat(100_000)))
  const lines = linesOf(chunk('first\n'), ...pieces, chunk('\nlast'))
  assert.deepEqual(
    lines.map(([, text]) => text.slice(0, 5)),
    ['first', 'xxxxx', 'last'],
  )
  assert.deepEqual(lines[1]?.slice(1), ['x'.repeat(10_000), 2_990_000])
})

test('a line that is redrawn 100,000 times takes only one block', () => {
  const lines = new LogLines()
  for (let percent = 0; percent < 100_000; percent++) lines.add(chunk(`\r${percent} of 100000`))
  assert.deepEqual(lines.at(0)?.text, '99999 of 100000')
  assert.equal(lines.blocks.length, 1)
})

test('a change is reported once, as the first line that has changed', () => {
  const lines = new LogLines()
  assert.equal(lines.takeChanged(), 0)
  lines.add(chunk('one\ntwo\nthr'))
  assert.equal(lines.takeChanged(), 0)
  assert.equal(lines.takeChanged(), 3)
  lines.add(chunk('ee\n'))
  assert.equal(lines.takeChanged(), 2, 'the line that went on')
  lines.add(chunk('wrong\n', 'STDERR'))
  assert.equal(lines.takeChanged(), 3)
})

test('lines of many streams in many blocks are at the place where they began', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(
          fc.constantFrom('STDOUT', 'STDERR', 'SYSTEM'),
          fc.array(fc.constantFrom('a', 'b\n', '\n', '\r', 'word '.repeat(9_000)), { maxLength: 8 }),
        ),
        { maxLength: 30 },
      ),
      (told) => {
        const chunks = told.map(([stream, pieces]) => chunk(pieces.join(''), stream as LogChunk['stream']))
        assert.deepEqual(linesOf(...chunks), plainly(told.map(([stream, pieces]) => [stream, pieces.join('')])))
      },
    ),
    { numRuns: 200 },
  )
})

/** The same, with a text for each line. */
function plainly(
  told: readonly (readonly [stream: string, text: string])[],
): readonly (readonly [string, string, number?])[] {
  const all: [string, string][] = []
  const open = new Map<string, number>()
  for (const [stream, text] of told) {
    const pieces = text.split('\n')
    for (const [index, piece] of pieces.entries()) {
      const ends = index < pieces.length - 1
      if (!ends && piece === '') continue
      const at = open.get(stream) ?? all.push([stream, '']) - 1
      const line = all[at]
      if (line) line[1] += piece
      if (ends) open.delete(stream)
      else open.set(stream, at)
    }
  }
  return all.map(([stream, text]) => {
    const seen = text.replace(/\r$/, '').split('\r').at(-1) ?? ''
    return seen.length > 10_000 ? [stream, seen.slice(0, 10_000), seen.length - 10_000] : [stream, seen]
  })
}

test('the whole log is a text without escape sequences, with the lines in the order of the page', () => {
  const lines = new LogLines()
  for (const one of [chunk('a \u001b[31mred'), chunk('wrong\n', 'STDERR'), chunk(' end\nlast')]) lines.add(one)
  assert.equal([...lines.readText()].join(''), 'a red end\nwrong\nlast\n')
})

test('groups are found in lines that arrive in pieces, with colors, and between those of another stream', () => {
  const lines = new LogLines()
  for (const one of [
    chunk('::gro'),
    chunk('x\n', 'STDERR'),
    chunk('up::\u001b[1mBuild\u001b[0m\r\nok\n::endgroup::\n'),
  ])
    lines.add(one)
  assert.deepEqual(lines.groups.takeChanged(), [{ title: 'Build', first: 0, end: 4 }])
})
