/** Crash reports are symbolicated in threads, from the symbol tables that the storage has. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { sourceOf } from '../../../../../gateway/operations/apps/dsymFiles/byteSource.ts'
import { readMachO } from '../../../../../gateway/operations/apps/dsymFiles/readMachO.ts'
import {
  SymbolicationProblem,
  Symbolicator,
  type SymbolicatorBounds,
} from '../../../../../gateway/operations/apps/symbolication/symbolicator.ts'
import { SymbolTableWriter } from '../../../../../gateway/operations/apps/symbols/symbolTableWriter.ts'
import { encodeThreads } from '../../../../../gateway/operations/apps/threads/encodeThreads.ts'
import type { CrashContent } from '../../../../../gateway/operations/apps/threads/storedThreads.ts'
import { decodeThreads } from '../../../../../gateway/operations/apps/threads/threadFile.ts'
import { Failure } from '../../../../../spec/core/failure.ts'
import { newImageUuid, smallImage, smallMachO } from '../../../../kit/program/objects/dsymZips.ts'
import { MemoryBlobs } from '../../../../kit/runtime/memory/blobs.ts'

const blobs = new MemoryBlobs()
const blob = 'symbol-tables/good'
const uuid = newImageUuid()
let bytes: Buffer
const open: Symbolicator[] = []

before(async () => {
  const file = smallMachO(uuid)
  const [slice] = await readMachO(sourceOf(file))
  assert.ok(slice)
  const writer = new SymbolTableWriter()
  const pieces: Uint8Array[] = []
  await writer.write(sourceOf(file), slice, async (piece) => void pieces.push(piece.slice()))
  writer.close()
  bytes = Buffer.concat(pieces)
  await blobs.append(blob, 0, bytes)
})
after(() => {
  for (const one of open) one.close()
})

function create(bounds: Partial<SymbolicatorBounds> = {}, storage: Pick<MemoryBlobs, 'read'> = blobs): Symbolicator {
  const made = new Symbolicator(storage, bounds)
  open.push(made)
  return made
}

const contentOf = async (frames: number): Promise<Buffer> => {
  const content: CrashContent = {
    threads: [
      {
        crashed: true,
        frames: Array.from({ length: frames }, (_, n) => ({
          imageUuid: uuid,
          address: `0x${(smallImage.mainAddress + BigInt(n % 200) + 1n).toString(16)}`,
        })),
      },
    ],
    images: [{ uuid, name: 'Shop', arch: 'arm64' }],
  }
  return await encodeThreads(content)
}
const tableOf = (name = blob, size = bytes.length) => ({
  ...{ uuid, blob: name, size, textAddress: smallImage.address.toString(16) },
})
const namesIn = async (content: Uint8Array) => {
  const { threads } = await decodeThreads(content, 2 ** 28)
  return threads.flatMap(({ frames }) => frames.map(({ symbol }) => symbol ?? null))
}

test('the frames of a report get their names, and several reports at once do not mix', async () => {
  const symbolicator = create()
  const results = await Promise.all(
    [1, 2, 3, 50].map(async (count) => symbolicator.run({ readContent: () => contentOf(count), tables: [tableOf()] })),
  )
  for (const [index, count] of [1, 2, 3, 50].entries()) {
    const result = results[index]
    assert.ok(result)
    assert.deepEqual(
      await namesIn(result.content),
      Array.from({ length: count }, () => 'main'),
    )
    assert.deepEqual([result.named, result.unnamed, result.damaged], [count, 0, []])
  }
})

describe('a symbol table that cannot be used leaves its image without symbols', () => {
  const damagedName = 'symbol-tables/damaged'
  before(async () => {
    const damaged = Buffer.from(bytes)
    damaged.fill(0x5a, 100, 200)
    await blobs.append(damagedName, 0, damaged)
  })
  for (const [problem, table, pattern] of [
    ['it is missing', () => tableOf('symbol-tables/gone'), /symbol-tables\/gone|no blob/i],
    ['it is shorter than its recorded size', () => tableOf(blob, bytes.length + 4096), /storage has|version/],
    ['it is damaged', () => tableOf(damagedName), /checksum|damaged|page/i],
  ] as const)
    test(problem, async () => {
      const result = await create().run({ readContent: () => contentOf(2), tables: [table()] })
      assert.deepEqual(await namesIn(result.content), [null, null])
      assert.equal(result.damaged[0]?.uuid, uuid)
      assert.match(result.damaged[0]?.problem ?? '', pattern)
    })
})

test('a storage that does not respond is not reported as a problem of the report', async () => {
  const away: Pick<MemoryBlobs, 'read'> = {
    // biome-ignore lint/correctness/useYield: it fails at the first read
    async *read() {
      throw new Failure('UNAVAILABLE', 'The storage does not answer.')
    },
  }
  const symbolicator = create({}, away)
  const readContent = () => contentOf(1)
  await assert.rejects(symbolicator.run({ readContent, tables: [tableOf()] }), { code: 'UNAVAILABLE' })
})

describe('a hostile report ends with a problem of its own, and the next one is symbolicated', () => {
  for (const [what, content, bounds] of [
    ['it is not JSON', async () => gzipSync('{"threads": ['), {}],
    ['it is another kind of JSON', async () => gzipSync('[1, 2]'), {}],
    ['it is not compressed', async () => Buffer.from('{}'), {}],
    ['it is larger than allowed', async () => gzipSync(Buffer.alloc(1_000_000)), { mostBytes: 100_000 }],
    ['its threads are larger than allowed', () => contentOf(5_000), { mostBytes: 100_000 }],
    ['it takes too long', () => contentOf(400_000), { withinMs: 50 }],
  ] as const)
    test(what, async () => {
      const symbolicator = create(bounds)
      const bytes = await content()
      const readContent = async () => bytes
      await assert.rejects(symbolicator.run({ readContent, tables: [tableOf()] }), SymbolicationProblem)
      const next = create()
      assert.equal((await next.run({ readContent: () => contentOf(1), tables: [tableOf()] })).named, 1)
    })
})

test('a report is read when a thread is free for it, and too many that wait are refused', async () => {
  const symbolicator = create({ atOnce: 1, waiting: 1 })
  const first = Promise.withResolvers<Uint8Array>()
  const tables = [tableOf()]
  const running = symbolicator.run({ readContent: () => first.promise, tables })
  let isRead = false
  const readContent = async () => {
    isRead = true
    return await contentOf(1)
  }
  const waiting = symbolicator.run({ readContent, tables })
  await assert.rejects(symbolicator.run({ readContent, tables }), { code: 'UNAVAILABLE' })
  assert.equal(isRead, false)
  first.resolve(await contentOf(2))
  assert.deepEqual([(await running).named, (await waiting).named], [2, 1])
})

test('a time in which the process is stopped does not count', async () => {
  const symbolicator = create({ withinMs: 3_000 })
  const running = symbolicator.run({ readContent: () => contentOf(1), tables: [tableOf()] })
  // The thread has begun, and then the process is stopped.
  await setTimeout(20)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_000)
  assert.equal((await running).named, 1)
})
