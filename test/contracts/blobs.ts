import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Blobs } from '../../storage/ports/blobs.ts'

/** The contract of every `Blobs`. */
export function blobsContract(name: string, open: () => Promise<Blobs>): void {
  describe(`${name}: blobs`, () => {
    test('are appended to and read by ranges', async () => {
      const blobs = await open()
      equal(await blobs.size('a/b-1_c'), undefined)
      equal(await blobs.append('a/b-1_c', 0, bytes('hello ')), 6)
      equal(await blobs.append('a/b-1_c', 6, bytes('world')), 11)
      equal(await blobs.size('a/b-1_c'), 11)
      deepEqual(
        await Promise.all([
          text(blobs, 'a/b-1_c', 0, 11),
          text(blobs, 'a/b-1_c', 3, 8),
          text(blobs, 'a/b-1_c', 8, 100),
          text(blobs, 'a/b-1_c', 5, 5),
        ]),
        ['hello world', 'lo wo', 'rld', ''],
      )
      equal(await blobs.append('empty', 0, new Uint8Array()), 0)
      equal(await blobs.size('empty'), 0)
    })

    test('refuse another offset than their size, and keep what they have', async () => {
      const blobs = await open()
      await blobs.append('a', 0, bytes('abc'))
      for (const offset of [0, 2, 4]) await rejects(blobs.append('a', offset, bytes('x')), RangeError)
      await rejects(blobs.append('b', 5, bytes('x')))
      equal(await text(blobs, 'a', 0, 10), 'abc')
    })

    test('are removed, once and again', async () => {
      const blobs = await open()
      await blobs.append('a', 0, bytes('abc'))
      await blobs.append('a/b', 0, bytes('below'))
      await blobs.remove('a')
      await blobs.remove('a')
      equal(await blobs.size('a'), undefined)
      equal(await text(blobs, 'a/b', 0, 10), 'below')
      await rejects(text(blobs, 'a', 0, 1))
    })

    test('have a bound, or none', async () => {
      ok((await (await open()).freeBytes()) > 0)
    })

    test('have names that lead nowhere else', async () => {
      const blobs = await open()
      for (const bad of [
        '',
        '/',
        '../x',
        'a/../b',
        'a//b',
        '/etc',
        'a.b',
        'A',
        'a\\b',
        'a\0',
        'ä',
        'a/',
        'x'.repeat(600),
      ]) {
        await rejects(blobs.append(bad, 0, bytes('x')), RangeError)
        await rejects(blobs.size(bad), RangeError)
        await rejects(blobs.remove(bad), RangeError)
        await rejects(text(blobs, bad, 0, 1), RangeError)
      }
    })
  })
}

function bytes(value: string): Uint8Array {
  return new TextEncoder().encode(value)
}

async function text(blobs: Blobs, name: string, from: number, to: number): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of blobs.read(name, from, to)) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
