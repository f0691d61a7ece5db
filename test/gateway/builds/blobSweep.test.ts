/** Differences between blobs and actors, as a restored backup leaves them. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { symbolBlob } from '../../../gateway/operations/apps/indexing/symbolBlobs.ts'
import { symbolTableBlob } from '../../../gateway/operations/apps/indexing/symbolTables.ts'
import { sweepBlobs } from '../../../gateway/operations/builds/uploads/blobSweep.ts'
import { FirstSeen } from '../../../gateway/operations/builds/uploads/firstSeen.ts'
import { withRowTypes } from '../../../gateway/operations/typedViews.ts'
import { crashSymbolBlob, crashThreadBlob } from '../../../spec/apps/crashReports.ts'
import { dsymUploadBlob } from '../../../spec/apps/dsymUploads.ts'
import { uploadBlob } from '../../../spec/builds/uploads.ts'
import { idOfUuid } from '../../../spec/core/ids.ts'
import { until } from '../../kit/program/until.ts'
import { MemoryBlobs } from '../../kit/runtime/memory/blobs.ts'
import { inits } from '../../kit/runtime/samples/samples.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

const hourMs = 3_600_000
let world: TestGateway
const logs: string[] = []

before(async () => {
  world = await startTestGateway()
})
after(() => world?.stop())

const log = {
  info: (_: unknown, text: string) => logs.push(text),
  warn: (_: unknown, text: string) => logs.push(text),
  error: (_: unknown, text: string) => logs.push(text),
}

function sweep(blobs: MemoryBlobs, firstSeen = new FirstSeen(), hours = 0) {
  const { system, storage } = world
  const clock = { now: () => Date.now() + hours * hourMs }
  return sweepBlobs({
    blobs,
    system,
    views: withRowTypes(storage.views),
    clock,
    firstSeen,
    rawCrashReportRetentionDays: 90,
    log,
  } as never)
}

async function upload(blobs: MemoryBlobs, offset: number, stored: number | undefined): Promise<string> {
  const id = world.newId('upload')
  const ref = { kind: 'upload', id } as const
  await world.ask(ref, { type: 'create' }, { ...inits.upload, owner: null, size: 10, createdAt: Date.now() })
  await world.ask(ref, { type: 'begin' })
  if (offset > 0) await world.ask(ref, { type: 'advance', writer: 1, offset })
  if (stored !== undefined) await blobs.append(uploadBlob(id), 0, new Uint8Array(stored))
  return id
}

const statusOf = async (id: string) => (await world.storage.views.get('upload', id))?.columns.status

test('blobs without an actor are removed a day after a sweep first saw them, and those of an ended upload after an hour', async () => {
  const blobs = new MemoryBlobs()
  const kept = await upload(blobs, 4, 6)
  const ended = await upload(blobs, 4, 4)
  await world.ask({ kind: 'upload', id: ended }, { type: 'delete' })
  const [unknown, fresh] = [world.newId('upload'), world.newId('upload')]
  const attachment = `run-attachments/${world.newId('runAttachment')}`
  for (const name of [uploadBlob(unknown), uploadBlob(fresh), attachment])
    await blobs.append(name, 0, new Uint8Array(1))
  for (const name of [uploadBlob(kept), uploadBlob(unknown), attachment]) blobs.age(name, Date.now() - 25 * hourMs)
  blobs.age(uploadBlob(ended), Date.now() - 2 * hourMs)
  const firstSeen = new FirstSeen()
  const removed = async (hours: number) => (await sweep(blobs, firstSeen, hours)).orphans
  assert.equal(await removed(0), 1, 'that of the ended upload')
  assert.equal(await removed(23), 0)
  assert.equal(
    await sweep(blobs, new FirstSeen(), 23).then(({ orphans }) => orphans),
    0,
    'another process has seen none',
  )
  assert.equal(await removed(24), 2)
  assert.deepEqual(blobs.names().sort(), [uploadBlob(kept), uploadBlob(fresh)].sort())
  assert.equal(await removed(24), 0)
  assert.equal(await statusOf(kept), 'RECEIVING')
  await world.ask({ kind: 'upload', id: kept }, { type: 'delete' })
})

test('if most blobs have no actor, none is removed, since the database may be the wrong one', async () => {
  const blobs = new MemoryBlobs()
  const kept = await upload(blobs, 4, 4)
  const names = Array.from({ length: 11 }, () => uploadBlob(world.newId('upload')))
  for (const name of names) {
    await blobs.append(name, 0, new Uint8Array(1))
    blobs.age(name, Date.now() - 25 * hourMs)
  }
  const firstSeen = new FirstSeen()
  for (const hours of [0, 30]) assert.equal((await sweep(blobs, firstSeen, hours)).orphans, 0)
  assert.match(logs.at(-1) ?? '', /is this the database of these files/)
  assert.equal(blobs.names().length, 12)
  await world.ask({ kind: 'upload', id: kept }, { type: 'delete' })
})

test('an upload whose bytes are missing fails, and other uploads continue', async () => {
  const blobs = new MemoryBlobs()
  const [whole, short, gone] = [await upload(blobs, 4, 4), await upload(blobs, 4, 3), await upload(blobs, 4, undefined)]
  assert.deepEqual(await sweep(blobs), { orphans: 0, lost: 2, leftovers: 0 })
  assert.deepEqual(await Promise.all([whole, short, gone].map(statusOf)), ['RECEIVING', 'FAILED', 'FAILED'])
  await world.ask({ kind: 'upload', id: whole }, { type: 'delete' })
})

test('an upload with a missing object fails if the bytes of the object had arrived', async () => {
  const blobs = new MemoryBlobs()
  const [whole, above, gone] = [await upload(blobs, 4, 4), await upload(blobs, 4, 6), await upload(blobs, 4, 4)]
  blobs.gaps = new Map([
    [uploadBlob(above), 4],
    [uploadBlob(gone), 2],
    ['run-attachments/ratt_1', 0],
  ])
  assert.deepEqual(await sweep(blobs), { orphans: 0, lost: 1, leftovers: 0 })
  assert.deepEqual(await Promise.all([whole, above, gone].map(statusOf)), ['RECEIVING', 'RECEIVING', 'FAILED'])
  assert.deepEqual(logs.slice(-2), ['bytes of a file lost', 'bytes of an upload lost'])
  blobs.gaps = undefined
  await blobs.remove(uploadBlob(whole))
  assert.deepEqual(await sweep(blobs), { orphans: 0, lost: 0, leftovers: 0 })
  assert.match(logs.at(-1) ?? '', /is it the right bucket/)
  for (const id of [whole, above]) await world.ask({ kind: 'upload', id }, { type: 'delete' })
})

test('an upload that ends during the sweep is not reported, and the sweep continues', async () => {
  const blobs = new MemoryBlobs()
  const [ended, gone, whole] = [await upload(blobs, 4, 4), await upload(blobs, 4, undefined), await upload(blobs, 4, 4)]
  const compare = blobs.comparePieces.bind(blobs)
  blobs.comparePieces = async () => {
    await world.ask({ kind: 'upload', id: ended }, { type: 'delete' })
    await blobs.remove(uploadBlob(ended))
    return compare()
  }
  assert.deepEqual(await sweep(blobs), { orphans: 0, lost: 1, leftovers: 0 })
  assert.deepEqual(await Promise.all([ended, gone].map(statusOf)), ['DELETED', 'FAILED'])
  await world.ask({ kind: 'upload', id: whole }, { type: 'delete' })
})

test('an empty storage ends no uploads, since its folder may not be mounted', async () => {
  const blobs = new MemoryBlobs()
  const all = [await upload(new MemoryBlobs(), 4, 4), await upload(new MemoryBlobs(), 4, 4)]
  assert.deepEqual(await sweep(blobs), { orphans: 0, lost: 0, leftovers: 0 })
  assert.deepEqual(await Promise.all(all.map(statusOf)), ['RECEIVING', 'RECEIVING'])
  assert.match(logs.at(-1) ?? '', /is the folder of the blobs mounted/)
})

test('an upload of dSYMs whose bytes are missing fails', async () => {
  const blobs = new MemoryBlobs()
  const ids = await Promise.all(
    [4, 3].map(async (stored) => {
      const id = world.newId('dsymUpload')
      const ref = { kind: 'dsymUpload', id } as const
      await world.ask(ref, { type: 'create' }, { ...inits.dsymUpload, requestKey: null, createdAt: Date.now() })
      await world.ask(ref, { type: 'begin' })
      await world.ask(ref, { type: 'advance', writer: 1, offset: 4 })
      await blobs.append(dsymUploadBlob(id), 0, new Uint8Array(stored))
      return id
    }),
  )
  await sweep(blobs)
  const rows = await Promise.all(ids.map((id) => world.storage.views.get('dsymUpload', id)))
  assert.deepEqual(
    rows.map((row) => row?.columns.status),
    ['RECEIVING', 'FAILED'],
  )
  await world.ask({ kind: 'dsymUpload', id: ids[0] ?? '' }, { type: 'delete' })
})

test('symbols and their tables are removed a day after they lose their last dSYM, or after a sweep sees them without an image', async () => {
  const blobs = new MemoryBlobs()
  const newUuid = () => randomUUID().toUpperCase()
  const [used, unused, unknown, fresh] = [newUuid(), newUuid(), newUuid(), newUuid()]
  const symbolsOf = (uuid: string) => ({ uuid, arch: 'arm64', size: 1 })
  const blobsOf = (uuid: string) => [symbolBlob(symbolsOf(uuid)), symbolTableBlob(symbolsOf(uuid))]
  const dsymIds = await Promise.all(
    [used, unused, fresh].map(async (uuid) => {
      const id = world.newId('dsym')
      const create = { ...inits.dsym, appId: null, images: [{ name: 'A', uuid, arch: 'arm64' }], key: uuid }
      await world.ask({ kind: 'dsym', id }, { type: 'create' }, create)
      return id
    }),
  )
  for (const uuid of [used, unused, unknown, fresh]) {
    for (const name of blobsOf(uuid)) {
      await blobs.append(name, 0, new Uint8Array(1))
      if (uuid !== fresh) blobs.age(name, Date.now() - 25 * hourMs)
    }
  }
  const imageStatus = async (uuid: string) =>
    (await world.storage.views.get('binaryImage', idOfUuid('binaryImage', uuid)))?.columns.status
  for (const uuid of [used, unused, fresh])
    await until('the image to have its dSYM', async () => ((await imageStatus(uuid)) === 'KNOWN' ? true : undefined))
  for (const index of [1, 2]) await world.ask({ kind: 'dsym', id: dsymIds[index] ?? '' }, { type: 'delete' })
  for (const uuid of [unused, fresh])
    await until('the image to lose its dSYM', async () => ((await imageStatus(uuid)) === 'WANTED' ? true : undefined))
  // An incident replaces the status of the image.
  const failed = { type: 'effectFailed', effectId: 'img_1:9:0', effect: 'symbolicateWaiting', problem: 'p' }
  await world.ask({ kind: 'binaryImage', id: idOfUuid('binaryImage', used) }, failed)
  assert.equal(await imageStatus(used), 'INCIDENT')
  const firstSeen = new FirstSeen()
  assert.equal((await sweep(blobs, firstSeen)).orphans, 2)
  assert.deepEqual(blobs.names().sort(), [used, unknown, fresh].flatMap(blobsOf).sort())
  assert.equal((await sweep(blobs, firstSeen, 24)).orphans, 4)
  assert.deepEqual(blobs.names().sort(), blobsOf(used).sort())
})

test('symbols that an upload uses again during a sweep are kept', async () => {
  const blobs = new MemoryBlobs()
  const uuid = randomUUID().toUpperCase()
  const name = symbolBlob({ uuid, arch: 'arm64', size: 1 })
  const addDsym = async (key: string) => {
    const ref = { kind: 'dsym', id: world.newId('dsym') } as const
    const images = [{ name: 'A', uuid, arch: 'arm64' }]
    await world.ask(ref, { type: 'create' }, { ...inits.dsym, appId: null, images, key })
    return ref
  }
  const isStatus = (status: string) =>
    until(`the image to be ${status}`, async () => {
      const row = await world.storage.views.get('binaryImage', idOfUuid('binaryImage', uuid))
      return row?.columns.status === status || undefined
    })
  const former = await addDsym(`${uuid} 1`)
  await isStatus('KNOWN')
  await world.ask(former, { type: 'delete' })
  await isStatus('WANTED')
  await blobs.append(name, 0, new Uint8Array(1))
  blobs.age(name, Date.now() - 25 * hourMs)
  const pages = blobs.pages.bind(blobs)
  blobs.pages = async function* (folder) {
    yield* pages(folder)
    if (folder !== 'symbols') return
    await addDsym(`${uuid} 2`)
    await isStatus('KNOWN')
  }
  assert.equal((await sweep(blobs)).orphans, 0)
  assert.deepEqual(blobs.names(), [name])
})

test('the threads of a crash report are kept with the report, and the symbols of a former symbolication for a day', async () => {
  const blobs = new MemoryBlobs()
  const id = world.newId('crashReport')
  const ref = { kind: 'crashReport', id } as const
  const init = { ...inits.crashReport, reportId: randomUUID().toUpperCase(), createdAt: Date.now() }
  await world.ask(ref, { type: 'create' }, init)
  const uuid = randomUUID().toUpperCase()
  await world.ask(ref, {
    type: 'wants',
    images: [{ name: 'App', uuid, arch: 'arm64', there: false, revision: 0 }],
  })
  await world.ask(ref, {
    type: 'symbolicated',
    images: [{ uuid, there: true, revision: 1 }],
    result: { named: 1, unnamed: 1, symbols: 'present' },
  })
  const needed = [crashThreadBlob(id), crashSymbolBlob(id, 'present')]
  const former = crashSymbolBlob(id, 'former')
  const unknown = crashThreadBlob(world.newId('crashReport'))
  const fresh = crashSymbolBlob(id, 'fresh')
  for (const name of [...needed, former, unknown, fresh]) await blobs.append(name, 0, new Uint8Array(1))
  for (const name of [...needed, former, unknown]) blobs.age(name, Date.now() - 25 * hourMs)
  const firstSeen = new FirstSeen()
  const removed = async (hours: number) => (await sweep(blobs, firstSeen, hours)).orphans
  assert.equal(await removed(0), 1, 'that of the former symbolication')
  assert.deepEqual(blobs.names().sort(), [...needed, unknown, fresh].sort())
  blobs.age(fresh, Date.now() + 24 * hourMs)
  assert.equal(await removed(24), 1, 'that without a report')
  assert.deepEqual(blobs.names().sort(), [...needed, fresh].sort())
})
