import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { S3Blobs } from '../../storage/blobs/s3/s3Blobs.ts'
import type { S3Objects } from '../../storage/blobs/s3/s3Objects.ts'

const atOnce = 50

interface Bucket {
  readonly blobs: S3Blobs
  readonly objects: S3Objects
}

/**
 * The contract of a server of S3 and the sweep: the objects that a process leaves behind when it is killed between an object and its row.
 * A page of a list has at most 1,000 objects.
 */
export function leftoversContract(name: string, count: number, open: () => Bucket): void {
  test(`${name}: ${count} objects that belong to no blob are found when they are old, and those of others are not`, async () => {
    const { blobs, objects } = open()
    await blobs.append('u/a', 0, Buffer.from('abc'))
    const lost = Array.from(
      { length: count },
      (_, index) => `u/lost/${String(index).padStart(15, '0')}-0123456789abcdef`,
    )
    await objects.put('u/not-ours', Buffer.from('a file of another program'))
    for (let from = 0; from < lost.length; from += atOnce)
      await Promise.all(lost.slice(from, from + atOnce).map((key) => objects.put(key, Buffer.from('lost'))))
    assert.deepEqual(await blobs.leftovers(Date.now() - 60_000), { pieces: [], owned: 1 })
    const { pieces, owned } = await blobs.leftovers(Date.now() + 60_000)
    assert.deepEqual([pieces.toSorted(), owned], [lost, 1])
    for (let from = 0; from < lost.length; from += atOnce)
      await Promise.all(pieces.slice(from, from + atOnce).map((piece) => blobs.dropLeftover(piece)))
    const kept: Uint8Array[] = []
    for await (const chunk of blobs.read('u/a', 0, 100)) kept.push(chunk)
    assert.equal(Buffer.concat(kept).toString(), 'abc')
    const { objects: left, next } = await objects.page(undefined)
    assert.deepEqual([left.length, next], [2, undefined])
  })
}
