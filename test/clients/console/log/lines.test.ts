/** Bytes become lines, wherever they are cut. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Chunk, Lines } from '../../../../clients/console/app/log/lines.ts'

const chunk = (text: string | Uint8Array, stream: Chunk['stream'] = 'STDOUT'): Chunk => ({
  sequence: 0,
  stream,
  dataBase64: Buffer.from(text).toString('base64'),
})

function linesOf(...chunks: readonly Chunk[]): readonly (readonly [string, string])[] {
  const lines = new Lines()
  for (const one of chunks) lines.add(one)
  return lines.all.map(({ stream, text }) => [stream, text])
}

test('a line goes on in the next piece', () => {
  assert.deepEqual(linesOf(chunk('one\ntw'), chunk('o\n'), chunk('three')), [
    ['STDOUT', 'one'],
    ['STDOUT', 'two'],
    ['STDOUT', 'three'],
  ])
})

test('empty lines are lines', () => {
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

test('a carriage return begins the line anew, as in a terminal', () => {
  assert.deepEqual(
    linesOf(chunk('10 %\r20 %'), chunk('\r30 %\r\nnext')).map(([, text]) => text),
    ['30 %', 'next'],
  )
})

test('the end is no line', () => {
  const lines = new Lines()
  lines.add(chunk('{"chunks":1}', 'END'))
  assert.deepEqual([lines.all.length, lines.ended], [0, true])
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
