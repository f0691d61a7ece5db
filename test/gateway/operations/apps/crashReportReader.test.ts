/** Crash reports are read in threads with bounds, and a report beyond them does not harm the next one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { SentCrashReport } from '../../../../gateway/operations/apps/crashFormats/checkCrashReport.ts'
import { CrashReportReader } from '../../../../gateway/operations/apps/crashFormats/crashReportReader.ts'
import { incident, ips } from '../../../kit/program/objects/crashFiles.ts'

const mostBytes = 100 * 1024 * 1024
const sent = (text: string): SentCrashReport => ({
  bytes: Buffer.from(text),
  encoding: 'identity',
  mostBytes,
  receivedAt: 1_700_000_000_000,
})

test('a report that needs too much time is refused as too complex', async (t) => {
  const reader = new CrashReportReader({ withinMs: 1 })
  t.after(() => reader.close())
  await assert.rejects(reader.read(sent(ips())), {
    code: 'PAYLOAD_TOO_LARGE',
    message: 'The report is too complex: reading it takes more than 0.001 s.',
  })
})

test('a report that needs too much memory is refused, and the next one is read', async (t) => {
  const reader = new CrashReportReader({ heapMb: 32, withinMs: 120_000 })
  t.after(() => reader.close())
  const bytes = gzipSync(`{"threads":[${'{},'.repeat(2_000_000)}{}]}`, { level: 1 })
  await assert.rejects(reader.read({ ...sent(''), bytes, encoding: 'gzip' }), {
    code: 'PAYLOAD_TOO_LARGE',
    message: 'The report is too complex: reading it needs more than 32 MB.',
  })
  assert.equal((await reader.read(sent(ips()))).report.reportId, incident)
})

test('a report with more values or lines than the limit is refused before it is parsed', async (t) => {
  const reader = new CrashReportReader()
  t.after(() => reader.close())
  const text = {
    json: `{"threads":[${'{},'.repeat(4_000_000)}{}]}`,
    lines: `Incident Identifier: x\n${'a\n'.repeat(8_000_000)}`,
  }
  for (const [name, report] of Object.entries(text))
    await assert.rejects(
      reader.read(sent(report)),
      { code: 'PAYLOAD_TOO_LARGE', message: 'The report has more than 8000000 values or lines.' },
      name,
    )
})

test('more reports than may wait are refused until others are read', async (t) => {
  const reader = new CrashReportReader({ atOnce: 1, waiting: 1 })
  t.after(() => reader.close())
  const [first, second, third] = await Promise.allSettled([1, 2, 3].map(() => reader.read(sent(ips()))))
  assert.deepEqual([first?.status, second?.status], ['fulfilled', 'fulfilled'])
  assert.ok(third?.status === 'rejected')
  assert.equal(third.reason.code, 'UNAVAILABLE')
  assert.equal((await reader.read(sent(ips()))).report.reportId, incident)
})
