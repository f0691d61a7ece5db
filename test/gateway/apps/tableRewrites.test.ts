/** Symbols without a symbol table of the present version get one in the background, and the reports that wait for it get their names. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { symbolBlob } from '../../../gateway/operations/apps/indexing/symbolBlobs.ts'
import {
  rankTable,
  symbolTableBlob,
  symbolTableFolder,
} from '../../../gateway/operations/apps/indexing/symbolTables.ts'
import {
  attemptBlob,
  attemptFolder,
  beginAttempt,
  failureBlob,
} from '../../../gateway/operations/apps/indexing/tableRewrites/tableAttempts.ts'
import {
  TableRewriter,
  type TableRewriterParts,
} from '../../../gateway/operations/apps/indexing/tableRewrites/tableRewriter.ts'
import { SymbolTableWriter } from '../../../gateway/operations/apps/symbols/symbolTableWriter.ts'
import { tableVersion } from '../../../gateway/operations/apps/symbols/tableFormat.ts'
import { sweepBlobs } from '../../../gateway/operations/builds/uploads/blobSweep.ts'
import { FirstSeen } from '../../../gateway/operations/builds/uploads/firstSeen.ts'
import { objectTypes, operations } from '../../../gateway/operations/operations.ts'
import { withRowTypes } from '../../../gateway/operations/typedViews.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { idOfUuid } from '../../../spec/core/ids.ts'
import { newUuid, recordCrash, recordDsym, reportOf, symbolsOf } from '../../kit/program/objects/crashes.ts'
import { completeDsymUpload, createDsymUpload, sendDsymBytes } from '../../kit/program/objects/dsymUploads.ts'
import { infoPlist, smallImage, smallMachO, storedZip } from '../../kit/program/objects/dsymZips.ts'
import type { Ask } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'
import { MemoryBlobs } from '../../kit/runtime/memory/blobs.ts'
import { systemClock } from '../../kit/runtime/systemClock.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

const hourMs = 3_600_000
const bundleIdentifier = 'org.example.shop'

/** Records the order in which tables are begun, and can lose the storage in the middle of a table. */
class WatchedBlobs extends MemoryBlobs {
  begun: string[] = []
  isUnavailable = false

  override async append(name: string, offset: number, data: Uint8Array, writer = 0): Promise<number> {
    const isTable = name.startsWith(`${symbolTableFolder}/`)
    if (isTable && this.isUnavailable) {
      // The bytes may have been stored all the same.
      await super.append(name, offset, data, writer)
      throw new Failure('UNAVAILABLE', 'It is gone.')
    }
    const size = await super.append(name, offset, data, writer)
    if (isTable && offset === 0) this.begun.push(name)
    return size
  }
}

const blobs = new WatchedBlobs()
const tables = new SymbolTableWriter({ isBackground: true })
let world: TestGateway
let key: string
let ask: Ask
let logs: string[] = []

before(async () => {
  world = await startTestGateway({ options: { blobs, operations, objectTypes } })
  key = (await world.apiKey((await world.signIn()).userId)).token
  ask = async <T>(query: string, variables = {}) => {
    const { body } = await world.graphql(query, variables, { 'x-api-key': key })
    assert.equal(body.errors, undefined, JSON.stringify(body.errors))
    return body.data as T
  }
  await ask('mutation ($input: CreateAppInput!) { createApp(input: $input) { app { id } } }', {
    input: { bundleIdentifier, name: 'Shop' },
  })
})
beforeEach(async () => {
  for (const name of blobs.names()) await blobs.remove(name)
  blobs.begun = []
  blobs.isUnavailable = false
  logs = []
})
after(async () => {
  tables.close()
  await world?.stop()
})

const symbolsIn = (uuid: string, bytes: Uint8Array) => ({ uuid, arch: 'arm64', size: bytes.length })

/** Stores a slice as versions without tables did, and records its dSYM. */
async function storeOldSlice(uuid = newUuid(), bytes: Uint8Array = smallMachO(uuid), hours = 2) {
  const symbols = symbolsIn(uuid, bytes)
  await blobs.append(symbolBlob(symbols), 0, bytes)
  blobs.age(symbolBlob(symbols), Date.now() - hours * hourMs)
  await recordDsym(ask, bundleIdentifier, [uuid])
  await until('the image to have its dSYM', async () => (await imageOf(uuid))?.columns.status === 'KNOWN' || undefined)
  return symbols
}

const imageOf = (uuid: string) => world.storage.views.get('binaryImage', idOfUuid('binaryImage', uuid))

/** A report with one call in the function `main` of each image. */
async function sendReport(...uuids: readonly string[]): Promise<string> {
  const address = `0x${(smallImage.mainAddress + 16n).toString(16)}`
  const frames = uuids.map((imageUuid) => ({ imageUuid, address }))
  return (await recordCrash(ask, { ...reportOf(bundleIdentifier, uuids), threads: [{ crashed: true, frames }] })).id
}

const untilNamed = (id: string) =>
  until(
    'the report to have its names',
    async () => (await symbolsOf(ask, id)).every((name) => name === 'main') || undefined,
  )

function rewriter(own: Partial<TableRewriterParts> = {}, ahead = 0): TableRewriter {
  const write = (_: unknown, text: string) => void logs.push(text)
  return new TableRewriter({
    ...{ blobs, tables, system: world.system, room: { requireForPiece: async () => {} } },
    views: withRowTypes(world.storage.views),
    clock: { ...systemClock, now: () => Date.now() + ahead },
    log: { info: write, warn: write, error: write } as never,
    ...own,
    bounds: { pauseMs: 0, busyMs: 5, ...own.bounds },
  })
}

const attempts = () => blobs.names().filter((name) => name.startsWith(`${attemptFolder}/`))

test('slices without a symbol table get one, the newest first, and the waiting crash reports get the names of functions', async () => {
  const [old, newest, middle] = [
    await storeOldSlice(newUuid(), undefined, 30),
    await storeOldSlice(newUuid(), undefined, 2),
    await storeOldSlice(newUuid(), undefined, 10),
  ]
  const all = [old, newest, middle]
  const id = await sendReport(...all.map(({ uuid }) => uuid))
  assert.deepEqual(await symbolsOf(ask, id), [null, null, null])
  assert.deepEqual(await rewriter().pass(), { written: 3, unreadable: 0, isFull: false })
  await untilNamed(id)
  assert.deepEqual(blobs.begun, [newest, middle, old].map(symbolTableBlob))
  assert.deepEqual(attempts(), [], 'nothing is left of the attempts')
  assert.deepEqual(await rewriter().pass(), { written: 0, unreadable: 0, isFull: false })
})

test('a pass processes a bounded number of slices, and the next pass continues', async () => {
  for (let slice = 0; slice < 3; slice++) await storeOldSlice()
  const bounded = rewriter({ bounds: { most: 2 } })
  assert.deepEqual(await bounded.pass(), { written: 2, unreadable: 0, isFull: true })
  assert.deepEqual(await bounded.pass(), { written: 1, unreadable: 0, isFull: false })
})

test('a table of an earlier version is replaced and then removed, even if only the earlier one had lines', async () => {
  const symbols = await storeOldSlice()
  const { uuid } = symbols
  const earlier = symbolTableBlob(symbols).replace(/-v\d+$/, `-v${tableVersion - 1}`)
  await blobs.append(earlier, 0, Buffer.from('a table of another format'))
  const rank = rankTable({ units: 1, segments: 1_000 }, tableVersion - 1)
  const table = { blob: earlier, size: 25, textAddress: '100000000', rank }
  await world.ask({ kind: 'binaryImage', id: idOfUuid('binaryImage', uuid) }, { type: 'tableWritten', table })
  const id = await sendReport(uuid)
  await until('the report to be tried', async () => {
    const { crashReport } = await ask<{ crashReport: { symbolicationId: string | null } }>(
      'query ($id: ID!) { crashReport(id: $id) { symbolicationId } }',
      { id },
    )
    return crashReport.symbolicationId ?? undefined
  })
  assert.deepEqual(await symbolsOf(ask, id), [null])
  assert.equal((await rewriter().pass()).written, 1)
  await untilNamed(id)
  assert.equal((await sweep(0)).orphans, 0, 'it may be in use for a day')
  assert.equal((await sweep(25)).orphans, 1)
  assert.ok(!blobs.names().includes(earlier))
  assert.ok(blobs.names().includes(symbolTableBlob(symbols)))
})

async function sweep(hours: number) {
  const { system, storage } = world
  const clock = { now: () => Date.now() + hours * hourMs }
  const write = (_: unknown, text: string) => void logs.push(text)
  const log = { info: write, warn: write, error: write }
  const parts = { blobs, system, views: withRowTypes(storage.views), clock, firstSeen: new FirstSeen(), log }
  return await sweepBlobs({ ...parts, rawCrashReportRetentionDays: 90 } as never)
}

describe('a slice for which no symbol table can be written', () => {
  const damage = (uuid: string, change: (bytes: Buffer) => void): Buffer => {
    const bytes = smallMachO(uuid)
    change(bytes)
    return bytes
  }
  /** The place of the offset of the symbol table, in the last load command. */
  const symbolTableOffset = 32 + 24 + 72 + 80 + 8
  const kinds: Readonly<Record<string, (uuid: string) => Uint8Array>> = {
    'another file': () => Buffer.from('this is no Mach-O file'),
    'an image with another UUID': () => smallMachO(newUuid()),
    'an image without code': (uuid) => damage(uuid, (bytes) => bytes.write('__DATA', 32 + 24 + 8, 'latin1')),
    'an image with a symbol table beyond the end': (uuid) =>
      damage(uuid, (bytes) => bytes.writeUInt32LE(0xffff_ff00, symbolTableOffset)),
  }
  for (const [kind, make] of Object.entries(kinds))
    test(`and that is ${kind} is tried once, and the slices after it are written`, async () => {
      const uuid = newUuid()
      const broken = await storeOldSlice(uuid, make(uuid), 2)
      const whole = await storeOldSlice(newUuid(), undefined, 3)
      const id = await sendReport(whole.uuid)
      assert.deepEqual(await rewriter().pass(), { written: 1, unreadable: 1, isFull: false })
      await untilNamed(id)
      assert.deepEqual(attempts(), [failureBlob(broken)])
      for (const hours of [0, 48, 1_000])
        assert.deepEqual(await rewriter({}, hours * hourMs).pass(), { written: 0, unreadable: 0, isFull: false })
      assert.equal(logs.filter((text) => text === 'no symbol table can be written of these symbols').length, 1)
    })

  test('and has missing bytes is tried once', async () => {
    const uuid = newUuid()
    const symbols = await storeOldSlice(uuid)
    await blobs.truncate(symbolBlob(symbols), symbols.size - 1)
    assert.equal((await rewriter().pass()).unreadable, 1)
    assert.equal((await rewriter().pass()).unreadable, 0)
  })

  test('is tried again by a later version, and the earlier failure is removed', async () => {
    const symbols = await storeOldSlice()
    const earlier = failureBlob(symbols).replace(`-v${tableVersion}-`, `-v${tableVersion - 1}-`)
    await blobs.append(earlier, 0, Buffer.from('are damaged'))
    assert.equal((await rewriter().pass()).written, 1)
    await sweep(25)
    assert.deepEqual(attempts(), [])
  })

  test('and that an upload could not read is not tried again', async () => {
    const uuid = newUuid()
    const bytes = kinds['an image with a symbol table beyond the end']?.(uuid) ?? assert.fail()
    const zip = storedZip([
      ['Shop.app.dSYM/Contents/Info.plist', Buffer.from(infoPlist(bundleIdentifier))],
      ['Shop.app.dSYM/Contents/Resources/DWARF/Shop', Buffer.from(bytes)],
    ])
    const sender = { url: world.url, key }
    const { id } = await createDsymUpload(sender, zip)
    await sendDsymBytes(sender, id, zip, 0, zip.length)
    assert.equal(await completeDsymUpload(sender, id), 200)
    const symbols = symbolsIn(uuid, bytes)
    blobs.age(symbolBlob(symbols), Date.now() - 2 * hourMs)
    assert.deepEqual(attempts(), [failureBlob(symbols)])
    assert.deepEqual(await rewriter().pass(), { written: 0, unreadable: 0, isFull: false })
  })
})

describe('several servers', () => {
  test('that begin at the same time write each slice once', async () => {
    const all = []
    for (let slice = 0; slice < 5; slice++) all.push(await storeOldSlice())
    const id = await sendReport(...all.map(({ uuid }) => uuid))
    const results = await Promise.all([rewriter().pass(), rewriter({ tables: new SymbolTableWriter() }).pass()])
    assert.equal(
      results.reduce((sum, { written }) => sum + written, 0),
      5,
    )
    assert.deepEqual(blobs.begun.toSorted(), all.map(symbolTableBlob).toSorted(), 'no table is written twice')
    await untilNamed(id)
    assert.deepEqual(attempts(), [])
  })

  test('replace the attempt of a killed server after a day, even if a part of its table is left', async () => {
    const symbols = await storeOldSlice()
    assert.ok(await beginAttempt(symbols, blobs))
    await blobs.append(symbolTableBlob(symbols), 0, new Uint8Array(10_000))
    assert.deepEqual(await rewriter({}, 23 * hourMs).pass(), { written: 0, unreadable: 0, isFull: false })
    const id = await sendReport(symbols.uuid)
    assert.deepEqual(await rewriter({}, 25 * hourMs).pass(), { written: 1, unreadable: 0, isFull: false })
    await untilNamed(id)
    assert.deepEqual(attempts(), [])
  })
})

test('if the storage becomes unavailable while a table is written, no attempt is left, and the next pass writes the table', async () => {
  const symbols = await storeOldSlice()
  const id = await sendReport(symbols.uuid)
  blobs.isUnavailable = true
  await assert.rejects(rewriter().pass(), { code: 'UNAVAILABLE' })
  blobs.isUnavailable = false
  assert.deepEqual(attempts(), [])
  assert.deepEqual(await rewriter().pass(), { written: 1, unreadable: 0, isFull: false })
  await untilNamed(id)
})

test('symbols that an upload may still index, and symbols without a dSYM, get no table', async () => {
  const fresh = await storeOldSlice(newUuid(), undefined, 0.5)
  const unknown = symbolsIn(newUuid(), new Uint8Array(1))
  await blobs.append(symbolBlob(unknown), 0, new Uint8Array(1))
  blobs.age(symbolBlob(unknown), Date.now() - 2 * hourMs)
  assert.deepEqual(await rewriter().pass(), { written: 0, unreadable: 0, isFull: false })
  assert.deepEqual(await rewriter({}, hourMs).pass(), { written: 1, unreadable: 0, isFull: false })
  assert.deepEqual(blobs.begun, [symbolTableBlob(fresh)])
})

test('while dSYMs are indexed, no table is written', async () => {
  await storeOldSlice()
  const views = withRowTypes(world.storage.views)
  let looks = 0
  const count = async () => {
    looks++
    assert.deepEqual(blobs.begun, [])
    return looks < 4 ? 1 : 0
  }
  const busy = { getMany: views.getMany.bind(views), count } as unknown as TableRewriterParts['views']
  assert.equal((await rewriter({ views: busy }).pass()).written, 1)
  assert.equal(looks, 4)
})

test('a stop ends the pause between two slices, and leaves no attempt', async () => {
  for (let slice = 0; slice < 3; slice++) await storeOldSlice()
  const stop = rewriter({ bounds: { pauseMs: hourMs } }).start()
  await until('the first table', () => blobs.begun.length === 1 || undefined)
  await until('the end of the attempt', () => attempts().length === 0 || undefined)
  await stop()
  assert.equal(blobs.begun.length, 1)
  assert.ok(!logs.includes('the pass over missing symbol tables has failed'))
})

test('a stop in the middle of a table leaves neither a part of it nor an attempt', async () => {
  const symbols = await storeOldSlice()
  const begun = Promise.withResolvers<void>()
  const goesOn = Promise.withResolvers<void>()
  const slow: TableRewriterParts['tables'] = {
    write: (source, slice, take) =>
      tables.write(source, slice, async (piece) => {
        await take(piece)
        begun.resolve()
        await goesOn.promise
        await take(piece)
      }),
  }
  const stop = rewriter({ tables: slow }).start()
  await begun.promise
  assert.deepEqual(attempts(), [attemptBlob(symbols)])
  const stopped = stop()
  goesOn.resolve()
  await stopped
  assert.deepEqual(
    blobs.names().filter((name) => !name.startsWith('symbols/') && !name.startsWith('crash-')),
    [],
  )
  assert.equal((await rewriter().pass()).written, 1)
})
