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
  test(`${name}: ${count} objects that belong to no blob are dropped when they are old`, async () => {
    const { blobs, objects } = open()
    await blobs.append('u/a', 0, Buffer.from('abc'))
    const lost = Array.from({ length: count }, (_, index) => `u/lost${index}`)
    for (let from = 0; from < lost.length; from += atOnce)
      await Promise.all(lost.slice(from, from + atOnce).map((key) => objects.put(key, Buffer.from('lost'))))
    assert.equal(await blobs.dropLeftovers(Date.now() - 60_000), 0)
    assert.equal(await blobs.dropLeftovers(Date.now() + 60_000), lost.length)
    const kept: Uint8Array[] = []
    for await (const chunk of blobs.read('u/a', 0, 100)) kept.push(chunk)
    assert.equal(Buffer.concat(kept).toString(), 'abc')
    const { objects: left, next } = await objects.page(undefined)
    assert.deepEqual([left.length, next], [1, undefined])
  })
}
