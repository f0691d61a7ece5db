/** OpenStack Swift, a real server with the API of S3: the contract of blobs, and uploads and transfers whose servers are killed. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { S3Blobs } from '../../../../storage/blobs/s3/s3Blobs.ts'
import { S3Objects } from '../../../../storage/blobs/s3/s3Objects.ts'
import { blobsContract } from '../../../contracts/blobs.ts'
import { piecesContract } from '../../../contracts/pieces.ts'
import type { S3Server } from '../../../kit/program/servers/s3Server.ts'
import { startSwiftServer } from '../../../kit/program/servers/swiftServer.ts'
import { MemoryBlobParts } from '../../../kit/runtime/memory/blobParts.ts'
import { uploadChaos } from './uploadChaos.ts'

let swift: S3Server
let prefixes = 0
before(async () => {
  swift = await startSwiftServer()
})
after(() => swift?.[Symbol.asyncDispose]())

function open() {
  const objects = new S3Objects(swift.settings(`p${prefixes++}`), () => {})
  const parts = new MemoryBlobParts()
  return { objects, parts, blobs: new S3Blobs(objects, parts) }
}

blobsContract('Swift', async () => open().blobs)
piecesContract('Swift', 1_010, open)

test('uploads and transfers on Swift are complete and correct after cuts and kills', {
  timeout: 600_000,
}, async (context) => {
  const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000)
  const result = await uploadChaos({ seed, place: 'swift', cuts: 12, kills: 2 })
  context.diagnostic(`seed ${seed}, ${JSON.stringify(result)}`)
  assert.deepEqual(result.violations, [], `seed ${seed}`)
  assert.ok(result.kills >= 2 && result.uploads > 0 && result.transfers > 0)
})
