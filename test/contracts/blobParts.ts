import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BlobPart, BlobParts } from '../../storage/blobs/s3/blobParts.ts'
import type { OpenDatabase } from './storages.ts'

const part = (start: number, size: number, object: string | null = `o${start}`): BlobPart => ({ start, size, object })

/** The contract of every `BlobParts`. */
export function blobPartsContract(name: string, open: OpenDatabase): void {
  describe(`${name}: parts of blobs`, () => {
    const withParts = async (run: (parts: { readonly one: BlobParts; readonly two: BlobParts }) => Promise<void>) => {
      const database = await open()
      try {
        await run({ one: (await database.process('one')).blobParts, two: (await database.process('two')).blobParts })
      } finally {
        await database.close()
      }
    }

    test('are added only at the end, and by only one of several processes', () =>
      withParts(async ({ one, two }) => {
        equal(await one.last('u/a'), undefined)
        equal(await one.add('u/a', part(5, 5), 0), false)
        equal(await one.add('u/a', part(0, 5), 0), true)
        deepEqual(await two.last('u/a'), part(0, 5))
        const both = await Promise.all([one.add('u/a', part(5, 3, 'x'), 0), two.add('u/a', part(5, 4, 'y'), 0)])
        deepEqual([...both].sort(), [false, true])
        equal(await one.add('u/a', part(5, 1), 0), false)
        deepEqual(
          (await two.list('u/a')).map(({ start }) => start),
          [0, 5],
        )
      }))

    test('are replaced only if the part to replace is still the last one and unchanged', () =>
      withParts(async ({ one, two }) => {
        await one.add('u/a', part(0, 5), 0)
        const both = await Promise.all([
          one.replace('u/a', part(0, 5), part(0, 8, 'x'), 0),
          two.replace('u/a', part(0, 5), part(0, 9, 'y'), 0),
        ])
        deepEqual([...both].sort(), [false, true])
        const last = (await one.last('u/a')) as BlobPart
        await one.add('u/a', part(last.size, 1, 'z'), 0)
        equal(await one.replace('u/a', last, part(0, 20, 'late'), 0), false)
      }))

    test('of an empty blob are one part without an object, which a part with bytes replaces', () =>
      withParts(async ({ one }) => {
        equal(await one.add('u/a', part(0, 0, null), 0), true)
        equal(await one.add('u/a', part(0, 4), 0), false)
        equal(await one.replace('u/a', part(0, 0, null), part(0, 4, 'x'), 0), true)
        deepEqual(await one.list('u/a'), [part(0, 4, 'x')])
      }))

    test('are cut off, and removed', () =>
      withParts(async ({ one }) => {
        for (const start of [0, 5, 10]) await one.add('u/a', part(start, 5), 0)
        deepEqual(await one.truncate('u/a', 15, 0), [])
        deepEqual(await one.truncate('u/a', 7, 0), ['o10'])
        deepEqual(await one.list('u/a'), [part(0, 5), part(5, 2)])
        deepEqual(await one.truncate('u/a', 5, 0), ['o5'])
        deepEqual(await one.known(['o0', 'o5', 'o9']), new Set(['o0']))
        deepEqual(await one.truncate('u/a', 0, 0), ['o0'])
        equal(await one.last('u/a'), undefined)
        await one.add('u/a', part(0, 1), 0)
        deepEqual(await one.remove('u/a'), ['o0'])
        deepEqual(await one.remove('u/a'), [])
        deepEqual(await one.truncate('u/none', 3, 0), [])
      }))

    test('are found by ranges of their objects', () =>
      withParts(async ({ one, two }) => {
        for (const start of [0, 5]) await one.add('u/b', part(start, 5), 0)
        await one.add('u/a', part(0, 5, 'o3'), 0)
        await one.add('u/empty', part(0, 0, null), 0)
        const between = async (after: string, upTo: string | undefined, limit = 10) =>
          (await two.between(after, upTo, limit)).map(({ name, object }) => [name, object])
        deepEqual(await two.between('', 'o0', 10), [{ name: 'u/b', ...part(0, 5) }])
        deepEqual(await between('', undefined), [
          ['u/b', 'o0'],
          ['u/a', 'o3'],
          ['u/b', 'o5'],
        ])
        deepEqual(await between('o0', 'o3'), [['u/a', 'o3']])
        deepEqual(await between('o0', undefined, 1), [['u/a', 'o3']])
        deepEqual(await between('o5', undefined), [])
      }))

    test('are not changed by a writer that was replaced', () =>
      withParts(async ({ one, two }) => {
        await one.add('u/a', part(0, 5), 1)
        await two.fence('u/a', 2)
        await two.fence('u/a', 1)
        equal(await one.writer('u/a'), 2)
        equal(await one.add('u/a', part(5, 5), 1), false)
        equal(await one.replace('u/a', part(0, 5), part(0, 6, 'x'), 1), false)
        deepEqual(await one.truncate('u/a', 0, 1), [])
        deepEqual(await one.truncate('u/a', 2, 1), [])
        deepEqual(await two.list('u/a'), [part(0, 5)])
        equal(await two.add('u/a', part(5, 5), 2), true)
        deepEqual(await two.truncate('u/a', 5, 2), ['o5'])
        deepEqual(await two.remove('u/a'), ['o0'])
        equal(await one.writer('u/a'), 0)
      }))

    test('are listed by folder in pages', () =>
      withParts(async ({ one }) => {
        for (const blob of ['u/b', 'u/a', 'u/a/x', 'u', 'u0/a', 'other/a']) await one.add(blob, part(0, 1), 0)
        const names = async (after?: string) =>
          (await one.page({ folder: 'u', after, limit: 1 })).map(({ name }) => name)
        deepEqual([await names(), await names('u/a'), await names('u/b')], [['u/a'], ['u/b'], []])
      }))
  })
}
