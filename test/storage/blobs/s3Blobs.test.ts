/** Blobs on S3: the sizes of the objects, several processes, lost answers, and a server that is unavailable. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { S3Blobs } from '../../../storage/blobs/s3/s3Blobs.ts'
import { S3Objects } from '../../../storage/blobs/s3/s3Objects.ts'
import { piecesContract } from '../../contracts/pieces.ts'
import { type S3Server, startS3Server } from '../../kit/program/servers/s3Server.ts'
import { MemoryBlobParts } from '../../kit/runtime/memory/blobParts.ts'

const MiB = 1024 * 1024
let server: S3Server
let prefixes = 0

before(async () => {
  server = await startS3Server()
})
after(() => server?.[Symbol.asyncDispose]())

function open() {
  const parts = new MemoryBlobParts()
  const objects = new S3Objects(server.settings(`x${prefixes++}`), () => {})
  return { parts, objects, blobs: new S3Blobs(objects, parts), other: new S3Blobs(objects, parts) }
}

async function bytesOf(blobs: S3Blobs, name: string, from = 0, to = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of blobs.read(name, from, to)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

test('objects have at least 5 MiB, except the last one, and no object is left behind', async () => {
  const { blobs, parts, objects } = open()
  const bytes = randomBytes(21 * MiB)
  let at = 0
  for (const size of [1, 2 * MiB, 4 * MiB, 8 * MiB, MiB, MiB, 21 * MiB]) {
    const piece = bytes.subarray(at, at + size)
    at = await blobs.append('u/a', at, piece)
    assert.equal(await blobs.size('u/a'), at, 'each piece is stored before the answer')
  }
  const sizes = (await parts.list('u/a')).map(({ size }) => size)
  assert.ok(
    sizes.slice(0, -1).every((size) => size >= 5 * MiB),
    String(sizes),
  )
  assert.ok((await bytesOf(blobs, 'u/a')).equals(bytes.subarray(0, at)))
  assert.ok((await bytesOf(blobs, 'u/a', 6 * MiB, 15 * MiB)).equals(bytes.subarray(6 * MiB, 15 * MiB)))
  const { objects: stored } = await objects.page(undefined)
  assert.equal(stored.length, sizes.length)
})

test('if two processes append at one offset, one of them is refused', async () => {
  const { blobs, other, objects } = open()
  await blobs.append('u/a', 0, randomBytes(6 * MiB))
  const [x, y] = [randomBytes(MiB), randomBytes(MiB)]
  const results = await Promise.allSettled([blobs.append('u/a', 6 * MiB, x), other.append('u/a', 6 * MiB, y)])
  assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  const winner = results[0]?.status === 'fulfilled' ? x : y
  assert.ok((await bytesOf(other, 'u/a', 6 * MiB)).equals(winner))
  const more = await Promise.allSettled([blobs.append('u/a', 7 * MiB, x), other.append('u/a', 7 * MiB, y)])
  assert.deepEqual(more.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  assert.equal((await objects.page(undefined)).objects.length, 2, 'the object that was refused is removed')
})

piecesContract('s3rver', 3, open)

test('an unavailable server loses nothing, and a repeated append succeeds once the server is available again', async () => {
  const { blobs } = open()
  await blobs.append('u/a', 0, Buffer.from('abc'))
  await server.stop()
  await assert.rejects(blobs.append('u/a', 3, Buffer.from('def')), { code: 'UNAVAILABLE' })
  await assert.rejects(bytesOf(blobs, 'u/a'), { code: 'UNAVAILABLE' })
  assert.equal(await blobs.healthy(), false)
  await server.start()
  assert.equal(await blobs.append('u/a', 3, Buffer.from('def')), 6)
  assert.equal((await bytesOf(blobs, 'u/a')).toString(), 'abcdef')
})

test('an append that begins during a short outage of the server succeeds', async () => {
  const { blobs } = open()
  await server.stop()
  const appended = blobs.append('u/a', 0, Buffer.from('abc'))
  setTimeout(() => void server.start(), 300)
  assert.equal(await appended, 3)
})

test('a bucket that cannot be used is reported', async () => {
  const wrong = new S3Objects({ ...server.settings('p'), accessKeyId: 'wrong' }, () => {})
  const refused = await wrong.problem()
  assert.match(String(refused?.text), /403/)
  assert.equal(refused?.isTemporary, false)
  const absent = new S3Objects(
    { ...server.settings('p'), endpoint: `http://127.0.0.1:${server.port}/absent` },
    () => {},
  )
  assert.match(String((await absent.problem())?.text), /404|NoSuchBucket/)
})
