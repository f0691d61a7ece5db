import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BlobParts } from '../../storage/blobs/s3/blobParts.ts'
import type { S3Blobs } from '../../storage/blobs/s3/s3Blobs.ts'
import type { S3Objects } from '../../storage/blobs/s3/s3Objects.ts'

const atOnce = 50
const MiB = 1024 * 1024

interface Bucket {
  readonly blobs: S3Blobs
  readonly parts: BlobParts
  readonly objects: S3Objects
}

/**
 * The contract of a server of S3 and the sweep: the objects that a process leaves behind when it is killed between an object and its row,
 * and objects that another program has deleted. A page of a list has at most 1,000 objects.
 */
export function piecesContract(name: string, count: number, open: () => Bucket): void {
  test(`${name}: ${count} objects that belong to no blob are found when they are old, and objects of other programs are not`, async () => {
    const { blobs, objects } = open()
    await blobs.append('u/a', 0, Buffer.from('abc'))
    const lost = Array.from(
      { length: count },
      (_, index) => `u/lost/${String(index).padStart(15, '0')}-0123456789abcdef`,
    )
    await objects.put('u/not-ours', Buffer.from('a file of another program'))
    for (let from = 0; from < lost.length; from += atOnce)
      await Promise.all(lost.slice(from, from + atOnce).map((key) => objects.put(key, Buffer.from('lost'))))
    const none = { leftovers: [], owned: 1, gaps: new Map() }
    assert.deepEqual(await blobs.comparePieces(Date.now() - 60_000), none)
    const { leftovers, owned, gaps } = await blobs.comparePieces(Date.now() + 60_000)
    assert.deepEqual([leftovers.toSorted(), owned, gaps], [lost, 1, new Map()])
    for (let from = 0; from < lost.length; from += atOnce)
      await Promise.all(leftovers.slice(from, from + atOnce).map((piece) => blobs.dropLeftover(piece)))
    const kept: Uint8Array[] = []
    for await (const chunk of blobs.read('u/a', 0, 100)) kept.push(chunk)
    assert.equal(Buffer.concat(kept).toString(), 'abc')
    const { objects: left, next } = await objects.page(undefined)
    assert.deepEqual([left.length, next], [2, undefined])
  })

  test(`${name}: objects that another program has deleted are found as gaps of their blobs`, async () => {
    const { blobs, parts, objects } = open()
    const gapsOf = async () => (await blobs.comparePieces(0)).gaps
    for (const blob of ['u/a', 'u/b', 'u/c', 'v/d'])
      for (const at of [0, 5, 10]) await blobs.append(blob, at * MiB, new Uint8Array(5 * MiB))
    await blobs.append('u/empty', 0, new Uint8Array())
    assert.deepEqual(await gapsOf(), new Map())
    const removePart = async (blob: string, index: number) =>
      await objects.remove((await parts.list(blob))[index]?.object ?? '')
    await removePart('u/a', 2)
    await removePart('u/c', 1)
    await removePart('u/c', 2)
    await removePart('v/d', 0)
    const expected = new Map([
      ['u/a', 10 * MiB],
      ['u/c', 5 * MiB],
      ['v/d', 0],
    ])
    assert.deepEqual(await gapsOf(), expected)
    // Whether objects are missing by an accident, or the bucket is another one.
    for (let n = 0; n < 1_001; n++) await parts.add(`u/x${n}`, { start: 0, size: 1, object: `u/x${n}/0` }, 0)
    assert.equal(await gapsOf(), undefined)
  })

  test(`${name}: a part that is added or replaced during the comparison is not missing`, async () => {
    const { blobs, parts, objects } = open()
    const listPage = objects.page.bind(objects)
    objects.page = async (mark) => {
      const page = await listPage(mark)
      await blobs.append('u/added', 0, Buffer.from('added after the list'))
      await blobs.append('u/replaced', 0, Buffer.from('too small for a'))
      return page
    }
    const between = parts.between.bind(parts)
    parts.between = async (...range) => {
      const found = await between(...range)
      await blobs.append('u/replaced', 15, Buffer.from(' part of its own'))
      return found
    }
    assert.deepEqual(await blobs.comparePieces(0), { leftovers: [], owned: 0, gaps: new Map() })
  })
}
