/** The file of a crash report is stored as it was sent, downloaded by people and scripts, and deleted after some days. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { sweepBlobs } from '../../../gateway/operations/builds/uploads/blobSweep.ts'
import { FirstSeen } from '../../../gateway/operations/builds/uploads/firstSeen.ts'
import { objectTypes, operations } from '../../../gateway/operations/operations.ts'
import { withRowTypes } from '../../../gateway/operations/typedViews.ts'
import { rawCrashReportBlob, rawCrashReportFolder } from '../../../spec/apps/rawCrashReports.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { newUuid, reportOf } from '../../kit/program/objects/crashes.ts'
import { crashText, diagnostic, ips, ipsBody, ipsHead } from '../../kit/program/objects/crashFiles.ts'
import { MemoryBlobs } from '../../kit/runtime/memory/blobs.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const retentionDays = 7

/** A storage that a request loses after it has stored a raw report. */
class InterruptedBlobs extends MemoryBlobs {
  isInterrupted = false

  override async append(name: string, offset: number, data: Uint8Array, writer = 0): Promise<number> {
    const size = await super.append(name, offset, data, writer)
    if (this.isInterrupted && name.startsWith(`${rawCrashReportFolder}/`))
      throw new Failure('UNAVAILABLE', 'It is gone.')
    return size
  }
}

const blobs = new InterruptedBlobs()
const logs: string[] = []
let world: TestGateway
let key: string

before(async () => {
  world = await startTestGateway({
    settings: { rawCrashReportRetentionDays: retentionDays },
    options: { blobs, operations, objectTypes },
  })
  key = (await world.apiKey((await world.signIn()).userId)).token
})
beforeEach(() => {
  world.ahead = 0
  blobs.isInterrupted = false
})
after(() => world?.stop())

interface Received {
  readonly status: number
  readonly id: string
  readonly reportId: string
}

async function send(body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): Promise<Received> {
  const response = await fetch(`${world.url}/api/public/crash-reports`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', 'x-api-key': key, ...headers },
    body: body as Uint8Array<ArrayBuffer>,
  })
  const { id = '', reportId = '' } = (await response.json()) as Partial<Received>
  return { status: response.status, id, reportId }
}

const download = (id: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${world.url}/api/crash-reports/${id}/raw`, { headers: { 'x-api-key': key, ...headers } })

const ipsFile = (incident = newUuid()): string => ips(ipsHead, { ...ipsBody, incident })

interface CrashReport {
  readonly rawReport: {
    readonly name: string
    readonly format: string
    readonly size: number
    readonly expiresAt: string
  } | null
  readonly createdAt: string
  readonly threads: { readonly totalCount: number }
}

async function readReport(id: string): Promise<CrashReport> {
  const query = `query ($id: ID!) { crashReport(id: $id) { createdAt rawReport { name format size expiresAt } threads { totalCount } } }`
  const { body } = await world.graphql(query, { id }, { 'x-api-key': key })
  assert.equal(body.errors, undefined)
  return (body.data as unknown as { crashReport: CrashReport }).crashReport
}

async function sweep(firstSeen = new FirstSeen()) {
  const write = (_: unknown, text: string) => logs.push(text)
  const log = { info: write, warn: write, error: write }
  const clock = { now: () => Date.now() + world.ahead }
  const { system, storage } = world
  const parts = { blobs, system, views: withRowTypes(storage.views), clock, firstSeen, log }
  return await sweepBlobs({ ...parts, rawCrashReportRetentionDays: retentionDays } as never)
}

const rawBlobs = () => blobs.names().filter((name) => name.startsWith(`${rawCrashReportFolder}/`))

describe('a crash report that is sent', () => {
  const json = JSON.stringify({ ...reportOf('org.example.shop', [newUuid()]) })
  const files = {
    'an .ips file': [ipsFile(), 'IPS', 'ips', 'text/plain; charset=utf-8'],
    'a .crash file': [
      crashText('241 (2.4.1)', '104', 'iPhone OS 18.5 (22F76)'),
      'CRASH',
      'crash',
      'text/plain; charset=utf-8',
    ],
    'a diagnostic of MetricKit': [JSON.stringify(diagnostic), 'METRIC_KIT', 'json', 'application/json'],
    'the input of recordCrashReport': [json, 'JSON', 'json', 'application/json'],
  } as const
  for (const [name, [file, format, extension, contentType]] of Object.entries(files))
    test(`as ${name} is downloaded byte by byte, under the UUID of the report`, async () => {
      const { status, id, reportId } = await send(file)
      assert.equal(status, 201)
      const { rawReport, createdAt } = await readReport(id)
      assert.deepEqual(rawReport, {
        name: `${reportId}.${extension}`,
        format,
        size: Buffer.byteLength(file),
        expiresAt: new Date(Date.parse(createdAt) + retentionDays * dayMs).toISOString(),
      })
      const answer = await download(id)
      assert.deepEqual([answer.status, await answer.text()], [200, file])
      const { headers } = answer
      assert.equal(headers.get('content-type'), contentType)
      assert.match(
        headers.get('content-disposition') ?? '',
        new RegExp(`^attachment; filename="${reportId}.${extension}"`),
      )
      assert.equal(headers.get('content-length'), String(Buffer.byteLength(file)))
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.match(headers.get('content-security-policy') ?? '', /^sandbox;/)
    })

  const compressed = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync }
  for (const [encoding, compress] of Object.entries(compressed))
    test(`with Content-Encoding ${encoding} is downloaded without the encoding, and is stored compressed`, async () => {
      const file = `${ipsFile()}${' '.repeat(1_000_000)}`
      const { id } = await send(compress(file), { 'content-encoding': encoding })
      assert.equal(await (await download(id)).text(), file)
      assert.ok(((await blobs.size(rawCrashReportBlob(id))) ?? 0) < 20_000)
    })

  test('is downloaded in ranges, and a range beyond its end is refused', async () => {
    const file = ips(ipsHead, { ...ipsBody, incident: newUuid(), notes: 'abc'.repeat(1_000_000) })
    const { id } = await send(file)
    for (const [range, from, to] of [
      ['bytes=5-99', 5, 100],
      ['bytes=0-0', 0, 1],
      [`bytes=${file.length - 3}-`, file.length - 3, file.length],
      ['bytes=-10', file.length - 10, file.length],
    ] as const) {
      const answer = await download(id, { range })
      assert.deepEqual([answer.status, await answer.text()], [206, file.slice(from, to)], range)
      assert.equal(answer.headers.get('content-range'), `bytes ${from}-${to - 1}/${file.length}`)
    }
    const beyond = await download(id, { range: `bytes=${file.length}-` })
    assert.deepEqual([beyond.status, beyond.headers.get('content-range')], [416, `bytes */${file.length}`])
    const head = await fetch(`${world.url}/api/crash-reports/${id}/raw`, {
      method: 'HEAD',
      headers: { 'x-api-key': key },
    })
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(file.length)])
  })

  test('is stored once: a repeat stores no file, and of concurrent requests the file of the recorded report is kept', async () => {
    const before = rawBlobs().length
    const incident = newUuid()
    // The same report with other white space is a repeat of it.
    const files = Array.from({ length: 4 }, (_, n) => `${ipsFile(incident)}${'\n'.repeat(n)}`)
    const answers = await Promise.all(files.map((file) => send(file)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 201])
    const winner = answers.findIndex(({ status }) => status === 201)
    const id = answers[winner]?.id ?? ''
    assert.equal(await (await download(id)).text(), files[winner])
    for (const file of files) assert.equal((await send(file)).status, 200)
    assert.equal(await (await download(id)).text(), files[winner])
    const firstSeen = new FirstSeen()
    world.ahead = 25 * hourMs
    await sweep(firstSeen)
    world.ahead = 50 * hourMs
    await sweep(firstSeen)
    assert.equal(rawBlobs().length, before + 1, 'those of the requests that lost are removed')
    assert.equal(await (await download(id)).text(), files[winner])
  })

  test('is not recorded if the request fails after its file is stored, and the repeat stores both', async () => {
    const file = ipsFile()
    blobs.isInterrupted = true
    assert.equal((await send(file)).status, 503)
    const orphans = rawBlobs().length
    blobs.isInterrupted = false
    const { status, id } = await send(file)
    assert.equal(status, 201)
    assert.equal(rawBlobs().length, orphans + 1)
    assert.equal(await (await download(id)).text(), file)
    const firstSeen = new FirstSeen()
    for (const hours of [23, 25, 50]) {
      world.ahead = hours * hourMs
      await sweep(firstSeen)
    }
    assert.equal(rawBlobs().length, orphans)
    assert.equal(await (await download(id)).text(), file)
  })

  test('and is refused leaves no file', async () => {
    const before = rawBlobs()
    const incident = newUuid()
    const { id } = await send(ipsFile(incident))
    assert.equal((await send(ips(ipsHead, { ...ipsBody, incident, modelCode: 'iPhone16,1' }))).status, 409)
    assert.equal((await send('{}')).status, 400)
    assert.deepEqual(
      rawBlobs().filter((name) => !before.includes(name)),
      [rawCrashReportBlob(id)],
    )
  })
})

test('a damaged file in the storage ends its own download, and no other one', async () => {
  const [damaged, whole] = [await send(ipsFile()), await send(ipsFile())]
  const name = rawCrashReportBlob(damaged.id)
  await blobs.truncate(name, ((await blobs.size(name)) ?? 0) - 20)
  await assert.rejects(download(damaged.id).then((answer) => answer.text()))
  assert.equal((await download(whole.id)).status, 200)
})

test('a report that is recorded over GraphQL has no file', async () => {
  const { images, ...report } = reportOf('org.example.shop', [newUuid()])
  const { body } = await world.graphql(
    `mutation ($input: RecordCrashReportInput!) { recordCrashReport(input: $input) { crashReport { id rawReport { name } } } }`,
    { input: { ...report, images } },
    { 'x-api-key': key },
  )
  assert.equal(body.errors, undefined)
  const { id, rawReport } = (
    body.data as unknown as { recordCrashReport: { crashReport: { id: string; rawReport: null } } }
  ).recordCrashReport.crashReport
  assert.equal(rawReport, null)
  const answer = await download(id)
  assert.equal(answer.status, 404)
  const { error } = (await answer.json()) as { error: { code: string; reason: string; message: string } }
  assert.deepEqual([error.code, error.reason], ['NOT_FOUND', 'NOT_SENT_AS_FILE'])
  assert.match(error.message, /was recorded without a file/)
})

test('after the retention, the file is deleted once, and the report keeps its threads', async () => {
  const { id } = await send(ipsFile())
  const { rawReport, threads } = await readReport(id)
  world.ahead = retentionDays * dayMs - hourMs
  await sweep()
  assert.deepEqual(await readReport(id), { ...(await readReport(id)), rawReport, threads })
  assert.equal((await download(id)).status, 200)

  world.ahead = retentionDays * dayMs + hourMs
  const { rawReport: expired } = await readReport(id)
  assert.equal(expired, null, 'also before the bytes are deleted')
  assert.ok(rawBlobs().includes(rawCrashReportBlob(id)))
  logs.length = 0
  await sweep()
  assert.deepEqual(rawBlobs(), [])
  await sweep()
  assert.deepEqual(logs.filter((text) => text === 'expired blobs removed').length, 1)
  const answer = await download(id)
  const { error } = (await answer.json()) as { error: { code: string; reason: string; message: string } }
  assert.deepEqual([answer.status, error.code, error.reason], [404, 'NOT_FOUND', 'DELETED'])
  assert.match(error.message, /RAW_CRASH_REPORT_RETENTION_DAYS/)
  assert.deepEqual((await readReport(id)).threads, threads)
  world.ahead = 0
  assert.equal((await readReport(id)).rawReport, null, 'the bytes are gone, whatever the setting is now')
})
