import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Blobs } from '../../storage/ports/blobs.ts'
import { everyBlob } from '../kit/program/objects/everyBlob.ts'

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

    test('refuse an append at another offset than their size, and keep their bytes', async () => {
      const blobs = await open()
      await blobs.append('a', 0, bytes('abc'))
      for (const offset of [0, 2, 4]) await rejects(blobs.append('a', offset, bytes('x')), RangeError)
      await rejects(blobs.append('b', 5, bytes('x')))
      equal(await text(blobs, 'a', 0, 10), 'abc')
    })

    test('are cut off above a size, and appended to from there', async () => {
      const blobs = await open()
      await blobs.append('a', 0, bytes('abcdef'))
      await blobs.append('a', 6, bytes('ghi'))
      await blobs.truncate('a', 7)
      equal(await blobs.size('a'), 7)
      await blobs.truncate('a', 9)
      await blobs.truncate('none', 3)
      deepEqual([await blobs.size('a'), await blobs.size('none')], [7, undefined])
      equal(await blobs.append('a', 7, bytes('XYZ')), 10)
      equal(await text(blobs, 'a', 0, 20), 'abcdefgXYZ')
      await blobs.truncate('a', 2)
      equal(await blobs.append('a', 2, bytes('!')), 3)
      equal(await text(blobs, 'a', 0, 20), 'ab!')
      await blobs.truncate('a', 0)
      equal(await blobs.append('a', 0, bytes('new')), 3)
      equal(await text(blobs, 'a', 0, 20), 'new')
    })

    test('accept only one of several appends at the same offset', async () => {
      const blobs = await open()
      await blobs.append('a', 0, bytes('abc'))
      await blobs.append('a', 3, bytes('def'))
      await rejects(blobs.append('a', 3, bytes('XYZ')), RangeError)
      equal(await text(blobs, 'a', 0, 10), 'abcdef')
    })

    test('are not changed by a writer that was replaced', async () => {
      const blobs = await open()
      await blobs.fence('a', 1)
      await blobs.append('a', 0, bytes('abc'), 1)
      await blobs.fence('a', 2)
      await rejects(blobs.append('a', 3, bytes('old'), 1), { code: 'CONFLICT' })
      await rejects(blobs.truncate('a', 0, 1), { code: 'CONFLICT' })
      await blobs.append('a', 3, bytes('new'), 2)
      equal(await text(blobs, 'a', 0, 10), 'abcnew')
      await blobs.truncate('a', 4, 2)
      equal(await blobs.size('a'), 4)
    })

    test('are listed by folder in pages', async () => {
      const blobs = await open()
      for (const name of ['up/c', 'up/a', 'up/b', 'up/below/d', 'other/e', 'up'])
        await blobs.append(name, 0, bytes('x'))
      const before = Date.now() - 60_000
      const entries = await everyBlob(blobs, 'up')
      for (const { changedAt } of entries) ok(changedAt > before && changedAt < Date.now() + 60_000)
      deepEqual(
        entries.map(({ name }) => name),
        ['up/a', 'up/b', 'up/c'],
      )
      deepEqual(await everyBlob(blobs, 'nothing'), [])
    })

    test('are listed in pages of 100, and can be removed meanwhile', async () => {
      const blobs = await open()
      const names = Array.from({ length: 250 }, (_, index) => `many/${index}`)
      for (const name of names) await blobs.append(name, 0, bytes('x'))
      const found: string[] = []
      for await (const page of blobs.pages('many')) {
        ok(page.length > 0 && page.length <= 100, `${page.length}`)
        for (const { name } of page) await blobs.remove(name)
        found.push(...page.map(({ name }) => name))
      }
      deepEqual(found.sort(), names.sort())
      deepEqual(await everyBlob(blobs, 'many'), [])
    })

    test('report that their storage is healthy', async () => {
      equal(await (await open()).healthy(), true)
    })

    test('can be removed twice, and the blobs below them stay', async () => {
      const blobs = await open()
      await blobs.append('a', 0, bytes('abc'))
      await blobs.append('a/b', 0, bytes('below'))
      await blobs.remove('a')
      await blobs.remove('a')
      equal(await blobs.size('a'), undefined)
      equal(await text(blobs, 'a/b', 0, 10), 'below')
      await rejects(text(blobs, 'a', 0, 1))
    })

    test('report that bytes are free', async () => {
      ok((await (await open()).freeBytes()) > 0)
    })

    test('refuse names that could lead to another place', async () => {
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
        await rejects(blobs.truncate(bad, 0), RangeError)
        await rejects(everyBlob(blobs, bad), RangeError)
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
