import { equal } from 'node:assert/strict'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { FileBlobs } from '../../storage/blobs/blobs.ts'
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

test('what a crash left above the durable size is cut off', async () => {
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
