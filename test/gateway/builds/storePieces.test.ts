/** The pieces of an upload on their way to the files, when another process writes the same upload, or a piece fails. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { PieceQueue } from '../../../gateway/operations/builds/uploads/pieceQueue.ts'
import {
  type PieceStore,
  type PieceTarget,
  storePieces,
} from '../../../gateway/operations/builds/uploads/storePieces.ts'
import { FileBlobs } from '../../../storage/blobs/blobs.ts'
import { systemClock } from '../../kit/runtime/systemClock.ts'

const pieceBytes = 1_000
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sb-pieces-'))
})
after(() => rm(folder, { recursive: true, force: true }))

/** A body of so many pieces that has arrived. */
function arrived(pieces: number): PieceQueue {
  const queue = new PieceQueue({
    ...{ pieceBytes, pauseAbove: 1e6, refuseAbove: 1e6, latestMs: 1_000, clock: systemClock },
    memory: new FileBlobs(folder).memory,
  })
  queue.take(new Uint8Array(pieces * pieceBytes).fill(7))
  queue.close()
  return queue
}

const storeOf = (blobs: PieceStore['blobs']): PieceStore => ({
  blobs,
  hashes: { follow: async () => {} },
  room: { requireForPiece: async () => {} },
})

const targetOf = (parts: Pick<PieceTarget, 'blob' | 'offset'> & Partial<PieceTarget>): PieceTarget => ({
  ...{ writer: 1, commit: async () => {}, isNewest: async () => true, onReleased: () => {} },
  ...parts,
})

test('a writer that another process has replaced does not cut off bytes of the newer writer', async () => {
  const [older, newer] = [new FileBlobs(folder), new FileBlobs(folder)]
  await older.append('a', 0, new Uint8Array(4_000), 1)
  await newer.fence('a', 2)
  await newer.append('a', 4_000, new Uint8Array(8_000), 2)
  const target = targetOf({ blob: 'a', offset: 4_000, isNewest: async () => false })
  await assert.rejects(storePieces(arrived(3), target, storeOf(older)), { code: 'CONFLICT' })
  assert.equal(await newer.size('a'), 12_000)
})

test('the newest writer cuts off a piece that an older writer has appended late', async () => {
  const [older, newer] = [new FileBlobs(folder), new FileBlobs(folder)]
  await newer.append('b', 0, new Uint8Array(4_000), 2)
  await older.append('b', 4_000, new Uint8Array(1_500), 1)
  await storePieces(arrived(3), targetOf({ blob: 'b', offset: 4_000, writer: 2 }), storeOf(newer))
  assert.equal(await newer.size('b'), 7_000)
})

test('after a failed commit, the bytes above the last offset are cut off when all writes have ended', async () => {
  const calls: string[] = []
  const blobs = {
    appendsInFlight: 4,
    append: async (_: string, offset: number) => {
      await sleep(offset === 0 ? 1 : 50)
      calls.push(`append ${offset}`)
      return offset
    },
    truncate: async (_: string, size: number) => void calls.push(`truncate ${size}`),
  }
  const commit = async () => {
    throw new Error('the database is unavailable')
  }
  const stored = storePieces(arrived(4), targetOf({ blob: 'c', offset: 0, commit }), storeOf(blobs))
  await assert.rejects(stored, /the database is unavailable/)
  assert.deepEqual(calls, ['append 0', 'append 1000', 'append 2000', 'append 3000', 'truncate 0'])
})

test('no bytes are cut off if the database cannot return the newest writer', async () => {
  const calls: string[] = []
  const blobs = {
    appendsInFlight: 1,
    append: async () => 0,
    truncate: async () => void calls.push('truncate'),
  }
  const away = async () => {
    throw new Error('the database is unavailable')
  }
  const target = targetOf({ blob: 'd', offset: 0, commit: away, isNewest: away })
  await assert.rejects(storePieces(arrived(1), target, storeOf(blobs)), /the database is unavailable/)
  assert.deepEqual(calls, [])
})
