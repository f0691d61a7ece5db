import { deepEqual, equal, rejects } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { FileBlobs } from '../../storage/blobs/blobs.ts'
import { allocatePages } from '../../storage/blobs/pageMemory.ts'
import { S3Blobs } from '../../storage/blobs/s3/s3Blobs.ts'
import { S3Objects } from '../../storage/blobs/s3/s3Objects.ts'
import { type S3Server, startS3Server } from '../kit/program/servers/s3Server.ts'
import { MemoryBlobParts } from '../kit/runtime/memory/blobParts.ts'
import { MemoryBlobs } from '../kit/runtime/memory/blobs.ts'
import { blobsContract } from './blobs.ts'

const folders: string[] = []
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sb-blobs-'))
  folders.push(folder)
  return folder
}

blobsContract('memory', async () => new MemoryBlobs())
let s3: S3Server
let prefixes = 0
before(async () => {
  s3 = await startS3Server()
})
after(() => s3?.[Symbol.asyncDispose]())
blobsContract('S3', async () => {
  const objects = new S3Objects(s3.settings(`p${prefixes++}`), () => {})
  return new S3Blobs(objects, new MemoryBlobParts())
})
blobsContract('files', async () => new FileBlobs(join(await newFolder(), 'blobs')))

test('whole pages and other bytes are appended to one file, with and without the flag for whole pages', async () => {
  for (const options of [{}, { direct: 0 }, { direct: constants.O_DIRECTORY }]) {
    const blobs = new FileBlobs(await newFolder(), options)
    const sizes = [8192, 100, 8192, 4096 - 100, 4096]
    const expected: Uint8Array[] = []
    let size = 0
    for (const length of sizes) {
      const bytes = randomBytes(length)
      const memory = allocatePages(length)
      memory.set(bytes)
      expected.push(bytes)
      size = await blobs.append('a', size, memory)
    }
    await rejects(blobs.append('a', 8192, allocatePages(4096)), RangeError)
    await blobs.truncate('a', 4096 * 4)
    const again = allocatePages(4096).fill(7)
    equal(await blobs.append('a', 4096 * 4, again), 4096 * 5)
    const stored: Uint8Array[] = []
    for await (const part of blobs.read('a', 0, 100_000)) stored.push(part)
    const kept = Buffer.concat(expected).subarray(0, 4096 * 4)
    deepEqual(Buffer.concat(stored), Buffer.concat([kept, again]), JSON.stringify(options))
  }
})

test('bytes that a crash left above the durable size are cut off', async () => {
  const folder = await newFolder()
  const blobs = new FileBlobs(folder)
  await blobs.append('upload', 0, new Uint8Array(100))
  await appendFile(join(folder, 'upload.blob'), new Uint8Array(7))
  await blobs.truncate('upload', 100)
  equal(await blobs.size('upload'), 100)
  await blobs.truncate('upload', 200)
  equal(await blobs.append('upload', 100, new Uint8Array(1)), 101)
  await blobs.truncate('none', 5)
})
