/** Two servers on one PostgreSQL and one bucket: the files of crash reports, and symbols without symbol tables. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { machineRelease } from '../../../actors/machineRelease.ts'
import { symbolBlob } from '../../../gateway/operations/apps/indexing/symbolBlobs.ts'
import { sweepBlobs } from '../../../gateway/operations/builds/uploads/blobSweep.ts'
import { FirstSeen } from '../../../gateway/operations/builds/uploads/firstSeen.ts'
import { withRowTypes } from '../../../gateway/operations/typedViews.ts'
import { machines } from '../../../machines/machines.ts'
import { rawCrashReportBlob, rawCrashReportFolder } from '../../../spec/apps/rawCrashReports.ts'
import { S3Blobs } from '../../../storage/blobs/s3/s3Blobs.ts'
import { S3Objects } from '../../../storage/blobs/s3/s3Objects.ts'
import { openStorage } from '../../../storage/open.ts'
import { connect } from '../../../storage/sql/sql.ts'
import type { Storage } from '../../../storage/storage.ts'
import { firstKey, graphql } from '../../kit/program/graphql.ts'
import {
  crashOf,
  makeApp,
  newUuid,
  recordCrash,
  recordDsym,
  reportOf,
  symbolsOf,
} from '../../kit/program/objects/crashes.ts'
import { ips, ipsBody, ipsHead } from '../../kit/program/objects/crashFiles.ts'
import { smallImage, smallMachO } from '../../kit/program/objects/dsymZips.ts'
import { everyBlob } from '../../kit/program/objects/everyBlob.ts'
import type { Program } from '../../kit/program/program.ts'
import { type S3Server, startS3Server } from '../../kit/program/servers/s3Server.ts'
import type { Ask } from '../../kit/program/testProgram.ts'
import { type Shared, sharedDatabase } from '../../kit/program/twoServers.ts'
import { until } from '../../kit/program/until.ts'

const hourMs = 3_600_000
const names = ['here', 'there']
let s3: S3Server
let shared: Shared
let servers: readonly Program[]
let storage: Storage
let blobs: S3Blobs
let key: string
let ask: Ask

before(async () => {
  s3 = await startS3Server()
  shared = await sharedDatabase({ LIMIT_DISK_RESERVE_BYTES: '1', ...s3.env('crashes') })
  servers = await Promise.all(names.map((name) => shared.start(name)))
  key = await firstKey(servers[0]?.url ?? '')
  ask = (query, variables) => graphql(servers[0]?.url ?? '', { 'X-API-Key': key }, query, variables)
  const machinesOfTest = machineRelease(Object.values(machines))
  storage = await openStorage({ ...shared.target, owner: 'test', machines: machinesOfTest, log: () => {} })
  blobs = new S3Blobs(new S3Objects(s3.settings('crashes'), () => {}), storage.blobParts)
})
after(async () => {
  await storage?.close()
  await shared?.end()
  await s3?.[Symbol.asyncDispose]()
})

const download = (url: string, id: string) =>
  fetch(`${url}/api/crash-reports/${id}/raw`, { headers: { 'x-api-key': key } })

const rawBlobs = async () => (await everyBlob(blobs, rawCrashReportFolder)).map(({ name }) => name)

test('a report that arrives at both servers at once has one file, which is deleted after its retention', async () => {
  const incident = newUuid()
  const files = Array.from({ length: 6 }, (_, n) => `${ips(ipsHead, { ...ipsBody, incident })}${' '.repeat(n)}`)
  const answers = await Promise.all(
    files.map(async (body, n) => {
      const headers = { 'content-type': 'text/plain', 'x-api-key': key }
      const answer = await fetch(`${servers[n % 2]?.url}/api/public/crash-reports`, { method: 'POST', headers, body })
      return { status: answer.status, id: ((await answer.json()) as { readonly id: string }).id }
    }),
  )
  const created = answers.findIndex(({ status }) => status === 201)
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 200, 200, 200, 200, 201])
  const id = answers[created]?.id ?? ''
  for (const { url } of servers) assert.equal(await (await download(url, id)).text(), files[created])

  const firstSeen = new FirstSeen()
  const sweep = async (hours: number) => {
    const clock = { now: () => Date.now() + hours * hourMs }
    const log = { info: () => {}, warn: () => {}, error: () => {} }
    const parts = { blobs, views: withRowTypes(storage.views), clock, firstSeen, log, rawCrashReportRetentionDays: 90 }
    await sweepBlobs(parts as never)
  }
  for (const hours of [25, 50, 90 * 24 - 1]) await sweep(hours)
  assert.deepEqual(await rawBlobs(), [rawCrashReportBlob(id)], 'that of the report, and none of the others')
  await sweep(90 * 24 + 1)
  assert.deepEqual(await rawBlobs(), [])
  await sweep(90 * 24 + 1)
  for (const { url } of servers) {
    const answer = await download(url, id)
    assert.equal(answer.status, 404)
    assert.equal(((await answer.json()) as { error: { reason: string } }).error.reason, 'DELETED')
  }
  const { crashReport } = await ask<{ crashReport: { rawReport: object | null; threads: { totalCount: number } } }>(
    'query ($id: ID!) { crashReport(id: $id) { rawReport { name } threads { totalCount } } }',
    { id },
  )
  assert.deepEqual([crashReport.rawReport, crashReport.threads.totalCount], [null, 3])
})

test('symbols without a table get one when both servers start at once, and each is written once', async () => {
  const bundleIdentifier = 'org.example.old'
  await makeApp(ask, bundleIdentifier)
  const address = `0x${(smallImage.mainAddress + 16n).toString(16)}`
  const ids: string[] = []
  for (let slice = 0; slice < 3; slice++) {
    const uuid = newUuid()
    const bytes = smallMachO(uuid)
    await blobs.append(symbolBlob({ uuid, arch: 'arm64', size: bytes.length }), 0, bytes)
    await recordDsym(ask, bundleIdentifier, [uuid])
    const threads = [{ crashed: true, frames: [{ imageUuid: uuid, address }] }]
    ids.push((await recordCrash(ask, { ...reportOf(bundleIdentifier, [uuid]), threads })).id)
  }
  await until('the images to have their dSYMs', async () => {
    const crashes = await Promise.all(ids.map((id) => crashOf(ask, id)))
    return crashes.every(({ missingImageCount }) => missingImageCount === 0) || undefined
  })
  await Promise.all(servers.map((server) => server.stop()))
  const sql = connect(shared.target, { name: 'test', max: 1 })
  await sql`update blob_part set changed_at = changed_at - ${2 * hourMs} where name like 'symbols/%'`
  await sql.end()
  servers = await Promise.all(names.map((name) => shared.start(name)))
  await until('all names', async () => {
    const all = await Promise.all(ids.map((id) => symbolsOf(ask, id)))
    return all.every(([name]) => name === 'main') || undefined
  })
  const written = servers.map((server) => server.output().split('missing symbol table written').length - 1)
  assert.equal(
    written.reduce((sum, one) => sum + one),
    3,
    `${written}`,
  )
  assert.deepEqual(await everyBlob(blobs, 'symbol-attempts'), [])
})
