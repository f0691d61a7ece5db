/** The files of crash reports on the whole program: on a disk and on S3, and after kills. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { newUuid } from '../../kit/program/objects/crashes.ts'
import { ips, ipsBody, ipsHead } from '../../kit/program/objects/crashFiles.ts'
import { type S3Server, startS3Server } from '../../kit/program/servers/s3Server.ts'
import { startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

/** A report of several pieces of the storage, which cannot be compressed well. */
const largeFile = (): string => {
  const notes = Array.from({ length: 200_000 }, () => newUuid())
  return ips(ipsHead, { ...ipsBody, incident: newUuid(), notes })
}

async function send(
  { url, key }: TestProgram,
  file: string,
): Promise<{ readonly status: number; readonly id: string }> {
  const answer = await fetch(`${url}/api/public/crash-reports`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', 'x-api-key': key },
    body: file,
  })
  return { status: answer.status, id: ((await answer.json()) as { readonly id: string }).id }
}

const download = async ({ url, key }: TestProgram, id: string, headers: Readonly<Record<string, string>> = {}) =>
  await fetch(`${url}/api/crash-reports/${id}/raw`, { headers: { 'x-api-key': key, ...headers } })

describe('on S3', () => {
  let s3: S3Server
  let stage: TestProgram
  before(async () => {
    s3 = await startS3Server()
    stage = await startTestProgram({ env: s3.env('raw') })
  })
  after(async () => {
    await stage?.end()
    await s3?.[Symbol.asyncDispose]()
  })

  test('a large report is downloaded unchanged, whole and in ranges', async () => {
    const file = largeFile()
    const { status, id } = await send(stage, file)
    assert.equal(status, 201)
    assert.ok((await (await download(stage, id)).text()) === file, 'the whole file')
    const range = await download(stage, id, { range: 'bytes=7000000-7000099' })
    assert.deepEqual([range.status, await range.text()], [206, file.slice(7_000_000, 7_000_100)])
  })

  test('the server still answers after 20 readers have disconnected in the middle', async () => {
    const { id } = await send(stage, largeFile())
    for (let reader = 0; reader < 20; reader++) {
      const answer = await download(stage, id)
      await answer.body?.getReader().read()
      await answer.body?.cancel().catch(() => {})
    }
  })
})

describe('on the disk of the server', () => {
  let stage: TestProgram
  before(async () => {
    stage = await startTestProgram()
  })
  after(() => stage?.end())

  const rawFiles = (): readonly string[] => {
    const folder = join(stage.dataDir, 'blobs', 'crash-raw')
    return existsSync(folder) ? readdirSync(folder) : []
  }

  for (const round of [1, 2, 3])
    test(`if the server is killed while it writes the file, a repeat of the report stores the report and the file: kill ${round}`, async () => {
      const known = rawFiles().length
      const file = largeFile()
      const interrupted = send(stage, file).catch(() => undefined)
      await until('the file to be begun', async () => rawFiles().length > known || undefined)
      await stage.restart()
      const acknowledged = await interrupted
      const { status, id } = await send(stage, file)
      assert.ok(status === 201 || status === 200, String(status))
      if (acknowledged !== undefined) assert.deepEqual([status, id], [200, acknowledged.id])
      assert.ok((await (await download(stage, id)).text()) === file, 'the whole file')
      const { crashReports } = await stage.ask<{ crashReports: { totalCount: number } }>(
        '{ crashReports { totalCount } }',
      )
      assert.equal(crashReports.totalCount, round, 'the report is stored once')
    })

  test('the retention is a setting, which the status of the installation shows', async () => {
    const { id } = await send(stage, ips(ipsHead, { ...ipsBody, incident: newUuid() }))
    const { installationStatus } = await stage.ask<{
      installationStatus: { settings: readonly { name: string; value: string | null }[] }
    }>('{ installationStatus { settings { name value } } }')
    const setting = installationStatus.settings.find(({ name }) => name === 'RAW_CRASH_REPORT_RETENTION_DAYS')
    assert.equal(setting?.value, '90')
    const { crashReport } = await stage.ask<{
      crashReport: { createdAt: string; rawReport: { expiresAt: string } }
    }>('query ($id: ID!) { crashReport(id: $id) { createdAt rawReport { expiresAt } } }', { id })
    const keptMs = Date.parse(crashReport.rawReport.expiresAt) - Date.parse(crashReport.createdAt)
    assert.equal(keptMs, 90 * 86_400_000)
  })
})
