/** Uploads of dSYMs over GraphQL: how far they are, what they found, and their deletion. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeApp, newUuid, recordCrash, reportOf } from '../../kit/program/objects/crashes.ts'
import { completeDsymUpload, createDsymUpload, sendDsymBytes } from '../../kit/program/objects/dsymUploads.ts'
import { infoPlist, newImageUuid, storedZip, zipOfDsyms } from '../../kit/program/objects/dsymZips.ts'
import { mutate } from '../../kit/program/runs.ts'
import { refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'

let stage: TestProgram

before(async () => {
  stage = await startTestProgram()
})
after(() => stage?.end())

const fields = `id name size status offset verifiedBytes bundleCount indexedCount warningCount duplicateOfId canBeDeleted expiresAt
  problem { code } duplicateOf { id } createdBy { ... on ApiKey { name } }
  dsyms { totalCount nodes { name images { uuid } } } warnings { totalCount nodes { code bundle } }`

interface Upload {
  readonly [field: string]: unknown
  readonly status: string
  readonly expiresAt: string | null
}

async function read(id: string): Promise<Upload> {
  const query = `query ($id: ID!) { dsymUpload(id: $id) { ${fields} } }`
  return (await stage.ask<{ dsymUpload: Upload }>(query, { id })).dsymUpload
}

async function upload(zip: Buffer, name = 'dSYMs.zip'): Promise<string> {
  const { id } = await createDsymUpload(stage, zip, name)
  await sendDsymBytes(stage, id, zip, 0, zip.length)
  return id
}

const empty = { totalCount: 0, nodes: [] }

test('an upload has the number of bytes that have arrived, and the time at which it expires', async () => {
  const zip = Buffer.alloc(1_000, 1)
  const { id } = await createDsymUpload(stage, zip, 'begun.zip')
  const waiting = await read(id)
  assert.deepEqual([waiting.status, waiting.offset, waiting.canBeDeleted], ['CREATED', 0, true])
  await sendDsymBytes(stage, id, zip, 0, 400)
  const { expiresAt, ...begun } = await read(id)
  assert.deepEqual(begun, {
    ...{ id, name: 'begun.zip', size: 1_000, status: 'RECEIVING', offset: 400, verifiedBytes: 0 },
    ...{ bundleCount: null, indexedCount: 0, warningCount: 0, duplicateOfId: null, duplicateOf: null },
    ...{ canBeDeleted: true, problem: null, createdBy: { name: 'script' }, dsyms: empty, warnings: empty },
  })
  assert.ok(Date.parse(expiresAt ?? '') > Date.now() + 23 * 3_600_000)
})

test('an upload that was indexed has its dSYMs and its warnings, and cannot be deleted', async () => {
  const [shop, kit] = [newImageUuid(), newImageUuid()]
  const zip = zipOfDsyms([
    { name: 'Shop.app', bundleIdentifier: 'org.example.uploads', uuid: shop },
    { name: 'Kit.framework', bundleIdentifier: 'org.example.kit', uuid: kit },
  ])
  const id = await upload(zip)
  assert.equal(await completeDsymUpload(stage, id), 200)
  const indexed = await read(id)
  assert.deepEqual(
    [indexed.status, indexed.bundleCount, indexed.indexedCount, indexed.verifiedBytes, indexed.expiresAt],
    ['INDEXED', 2, 2, zip.length, null],
  )
  const dsyms = {
    totalCount: 2,
    nodes: [
      { name: 'Shop.app', images: [{ uuid: shop }] },
      { name: 'Kit.framework', images: [{ uuid: kit }] },
    ],
  }
  assert.deepEqual([indexed.dsyms, indexed.warnings, indexed.canBeDeleted], [dsyms, empty, false])
  const refused = await refusal(mutate(stage.ask, 'deleteDsymUpload', { dsymUploadId: id }, 'dsymUpload { id }'))
  assert.equal(refused.code, 'FAILED_PRECONDITION')

  const again = await createDsymUpload(stage, zip, 'again.zip')
  const duplicate = await read(again.id)
  assert.deepEqual(
    [duplicate.status, duplicate.duplicateOfId, duplicate.duplicateOf, duplicate.dsyms],
    ['DUPLICATE', id, { id }, dsyms],
  )
})

test('a part of a zip that cannot be indexed is a warning, and the pages of warnings continue each other', async () => {
  const parts = ['A', 'B', 'C'].map((name): [string, Buffer] => [
    `${name}.app.dSYM/Contents/Info.plist`,
    Buffer.from(infoPlist('org.example.uploads')),
  ])
  const id = await upload(storedZip(parts))
  assert.equal(await completeDsymUpload(stage, id), 200)
  const warnings = parts.map(([path]) => ({ code: 'NO_SYMBOLS', bundle: path.split('/')[0] }))
  const whole = await read(id)
  assert.deepEqual([whole.warningCount, whole.warnings], [3, { totalCount: 3, nodes: warnings }])
  type Page = { warnings: { nodes: object[]; pageInfo: { endCursor: string | null } } }
  const page = async (after: string | null) =>
    (
      await stage.ask<{ dsymUpload: Page }>(
        'query ($id: ID!, $after: String) { dsymUpload(id: $id) { warnings(first: 2, after: $after) { nodes { code bundle } pageInfo { endCursor } } } }',
        { id, after },
      )
    ).dsymUpload.warnings
  const first = await page(null)
  const second = await page(first.pageInfo.endCursor)
  assert.deepEqual([...first.nodes, ...second.nodes], warnings)
})

test('a failed upload has a problem, and the list is filtered by status', async () => {
  const id = await upload(Buffer.from('not a zip'), 'broken.zip')
  assert.equal(await completeDsymUpload(stage, id), 409)
  const failed = await read(id)
  assert.deepEqual([failed.status, failed.problem, failed.canBeDeleted], ['FAILED', { code: 'INVALID_ZIP' }, false])
  const { dsymUploads } = await stage.ask<{ dsymUploads: { totalCount: number; nodes: { id: string }[] } }>(
    '{ dsymUploads(statuses: [FAILED, EXPIRED]) { totalCount nodes { id } } }',
  )
  assert.deepEqual(dsymUploads, { totalCount: 1, nodes: [{ id }] })
})

test('an unfinished upload is deleted with its bytes, and a repeat has the same answer', async () => {
  const zip = Buffer.alloc(10, 2)
  const { id } = await createDsymUpload(stage, zip)
  const remove = () =>
    mutate<{ dsymUpload: { status: string } }>(
      stage.ask,
      'deleteDsymUpload',
      { dsymUploadId: id },
      'dsymUpload { status }',
    )
  for (let n = 0; n < 2; n++) assert.equal((await remove()).dsymUpload.status, 'DELETED')
  await assert.rejects(sendDsymBytes(stage, id, zip, 0, 10), /404/)
})

test('a report has its crashed thread, at any position, and its missing images with their names', async () => {
  const bundleIdentifier = 'org.example.threads'
  await makeApp(stage.ask, bundleIdentifier)
  const [missing, named] = [newUuid(), newUuid()]
  const { threads, ...report } = reportOf(bundleIdentifier, [missing, named], [named])
  const quiet = Array.from({ length: 120 }, () => ({ frames: [{ address: '0x1' }] }))
  const { id } = await recordCrash(stage.ask, { ...report, threads: [...quiet, ...threads, ...quiet] })
  const query = `query ($id: ID!) { crashReport(id: $id) {
    crashedThread { number frameCount frames(first: 1) { totalCount nodes { imageUuid } } }
    missingImages { totalCount nodes { name uuid arch } } threads(first: 2) { nodes { number crashed } }
  } }`
  const { crashReport } = await stage.ask<{ crashReport: object }>(query, { id })
  assert.deepEqual(crashReport, {
    crashedThread: { number: 120, frameCount: 3, frames: { totalCount: 3, nodes: [{ imageUuid: missing }] } },
    missingImages: { totalCount: 1, nodes: [{ name: 'Shop', uuid: missing, arch: 'arm64' }] },
    threads: {
      nodes: [
        { number: 0, crashed: false },
        { number: 1, crashed: false },
      ],
    },
  })
  const { id: noneId } = await recordCrash(stage.ask, { ...reportOf(bundleIdentifier, []), threads: quiet })
  const none = await stage.ask<{ crashReport: object }>(query, { id: noneId })
  assert.deepEqual(none.crashReport, {
    crashedThread: null,
    missingImages: { totalCount: 0, nodes: [] },
    threads: {
      nodes: [
        { number: 0, crashed: false },
        { number: 1, crashed: false },
      ],
    },
  })
})

test('the frames of a long thread are read page by page, each once and in their order', async () => {
  const bundleIdentifier = 'org.example.pages'
  await makeApp(stage.ask, bundleIdentifier)
  const symbols = Array.from({ length: 1_000 }, (_, number) => `call ${number} ${'x'.repeat(400)}`)
  const frames = symbols.map((symbol) => ({ address: '0x1', symbol }))
  const threads = [{ frames: frames.slice(0, 3) }, { crashed: true, frames }, { frames: [] }]
  const { id } = await recordCrash(stage.ask, { ...reportOf(bundleIdentifier, []), threads })
  type Frames = {
    totalCount: number
    nodes: { symbol: string }[]
    pageInfo: { endCursor: string; hasNextPage: boolean }
  }
  const found: string[] = []
  for (let [after, more] = [null as string | null, true]; more; ) {
    const { crashReport } = await stage.ask<{ crashReport: { crashedThread: { frames: Frames } } }>(
      `query ($id: ID!, $after: String) { crashReport(id: $id) {
        crashedThread { frames(first: 100, after: $after) { totalCount nodes { symbol } pageInfo { endCursor hasNextPage } } }
      } }`,
      { id, after },
    )
    const { totalCount, nodes, pageInfo } = crashReport.crashedThread.frames
    assert.equal(totalCount, symbols.length)
    found.push(...nodes.map(({ symbol }) => symbol))
    ;[after, more] = [pageInfo.endCursor, pageInfo.hasNextPage]
  }
  assert.deepEqual(found, symbols)
  const { crashReport } = await stage.ask<{ crashReport: { threads: { nodes: { frames: Frames }[] } } }>(
    'query ($id: ID!) { crashReport(id: $id) { threads { nodes { frames(first: 2) { totalCount nodes { symbol } } } } } }',
    { id },
  )
  assert.deepEqual(
    crashReport.threads.nodes.map(({ frames: { totalCount, nodes } }) => [
      totalCount,
      nodes.map(({ symbol }) => symbol),
    ]),
    [
      [3, symbols.slice(0, 2)],
      [1_000, symbols.slice(0, 2)],
      [0, []],
    ],
  )
})
