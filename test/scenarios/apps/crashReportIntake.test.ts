/** Apps and scripts send crash reports over HTTP: as files of Apple, with and without a key, and whatever else may come. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { ada, rest } from '../../kit/program/accounts.ts'
import { makeApp, newUuid, reportOf } from '../../kit/program/objects/crashes.ts'
import { crashText, diagnostic, ips, ipsBody, ipsHead } from '../../kit/program/objects/crashFiles.ts'
import { mutate } from '../../kit/program/runs.ts'
import { startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'

let stage: TestProgram
const limits = {
  LIMIT_CRASH_REPORTS_PER_MINUTE: '30',
  LIMIT_CRASH_REPORT_BYTES_PER_DAY: String(21 * 1_024 * 1_024),
  LIMIT_UNCLAIMED_APPS: '3',
  LIMIT_UNCLAIMED_APP_REPORTS: '2',
}

before(async () => {
  stage = await startTestProgram({ env: { ...limits, TRUSTED_PROXIES: '127.0.0.1' } })
})
after(() => stage?.end())

interface Received {
  readonly id: string
  readonly reportId: string
  readonly appId: string
  readonly status: string
}

interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly report: Received
  readonly error: { readonly code: string; readonly message: string; readonly field?: string } | undefined
}

let senders = 0

/** Without headers of its own, a report comes from an address that has sent none. */
async function send(
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const from = `10.0.${Math.floor(++senders / 250)}.${(senders % 250) + 1}`
  const response = await fetch(`${stage.url}/api/public/crash-reports`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', 'x-forwarded-for': from, ...headers },
    body,
  })
  const text = await response.text()
  const answer = (text === '' ? {} : JSON.parse(text)) as Received & Pick<Answered, 'error'>
  return { status: response.status, headers: response.headers, report: answer, error: answer.error }
}

const keyed = () => ({ 'x-api-key': stage.key })

/** A report of its own, of the app with that bundle identifier. */
function ipsOf(bundleIdentifier: string, own: object = {}): string {
  const bundleInfo = { ...ipsBody.bundleInfo, CFBundleIdentifier: bundleIdentifier }
  return ips(ipsHead, { ...ipsBody, incident: newUuid(), bundleInfo, ...own })
}

const appOf = async (id: string): Promise<{ readonly status: string; readonly name: string }> =>
  (
    await stage.ask<{ app: { status: string; name: string } }>('query ($id: ID!) { app(id: $id) { status name } }', {
      id,
    })
  ).app

describe('with an API key', () => {
  test('every format is accepted, and an unknown app is created', async () => {
    const [text, own] = [
      crashText('241 (2.4.1)', '104', 'iPhone OS 18.5 (22F76)'),
      reportOf('org.example.own', [newUuid()]),
    ]
    const files = {
      'an .ips file': ipsOf('org.example.shop'),
      'a .crash file': text,
      'a diagnostic of MetricKit': JSON.stringify(diagnostic),
      'a payload of MetricKit': JSON.stringify({
        timeStampEnd: '2026-01-05 09:30:00 +0000',
        crashDiagnostics: [diagnostic],
      }),
      'the input of recordCrashReport': JSON.stringify({ ...own, images: own.images }),
    }
    for (const [name, file] of Object.entries(files)) {
      const first = await send(file, keyed())
      assert.equal(first.status, 201, `${name}: ${first.error?.message}`)
      const again = await send(file, keyed())
      assert.deepEqual([again.status, again.report], [200, first.report], name)
      assert.equal((await appOf(first.report.appId)).status, 'ACTIVE')
    }
    const { report } = await send(ipsOf('org.example.shop'), keyed())
    const { crashReport } = await stage.ask<{ crashReport: Readonly<Record<string, unknown>> }>(
      `query ($id: ID!) { crashReport(id: $id) { exceptionType exceptionReason deviceModel osVersion missingUuids
        threads { nodes { name crashed frames { nodes { imageName symbol file line } } } } } }`,
      { id: report.id },
    )
    const { threads, missingUuids, ...facts } = crashReport as {
      threads: { nodes: readonly { crashed: boolean; frames: object }[] }
      missingUuids: readonly string[]
    }
    assert.deepEqual(facts, {
      exceptionType: 'EXC_CRASH (SIGABRT)',
      exceptionReason: '*** Terminating app due to an exception',
      deviceModel: 'iPhone15,2',
      osVersion: '18.5 (22F76)',
    })
    assert.equal(missingUuids.length, 1)
    assert.deepEqual(threads.nodes.find(({ crashed }) => crashed)?.frames, {
      nodes: [
        { imageName: 'Shop', symbol: 'Cart.add(_:)', file: 'Cart.swift', line: 31 },
        { imageName: 'Shop', symbol: null, file: null, line: null },
        { imageName: null, symbol: null, file: null, line: null },
      ],
    })
  })

  test('a body may be compressed', async () => {
    const compressed = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync }
    for (const [encoding, compress] of Object.entries(compressed)) {
      const body = new Uint8Array(compress(ipsOf('org.example.shop')))
      const { status, error } = await send(body, { ...keyed(), 'content-encoding': encoding })
      assert.equal(status, 201, `${encoding}: ${error?.message}`)
    }
  })

  test('other content with the same UUID is refused, also if it arrives at the same time', async () => {
    const incident = newUuid()
    const file = (signal: string) => ipsOf('org.example.shop', { incident, exception: { type: 'EXC_CRASH', signal } })
    const answers = await Promise.all(
      ['SIGABRT', 'SIGABRT', 'SIGKILL', 'SIGKILL'].map((signal) => send(file(signal), keyed())),
    )
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length
    assert.deepEqual([count(201), count(200), count(409)], [1, 1, 2], answers.map(({ status }) => status).join())
    assert.equal(answers.find(({ status }) => status === 409)?.error?.code, 'CONFLICT')
  })
})

describe('without a credential', () => {
  test('an unknown app is unclaimed and keeps some reports, until a person creates it', async () => {
    const first = await send(ipsOf('org.example.new'))
    assert.equal(first.status, 201, first.error?.message)
    assert.deepEqual(await appOf(first.report.appId), { status: 'UNCLAIMED', name: 'org.example.new' })
    const second = ipsOf('org.example.new')
    assert.equal((await send(second)).status, 201)
    const third = await send(ipsOf('org.example.new'))
    assert.deepEqual([third.status, third.error?.code], [429, 'RATE_LIMITED'])
    assert.match(third.error?.message ?? '', /is unclaimed and has 2 crash reports, which is the most\. Create the app/)
    assert.ok(Number(third.headers.get('retry-after')) > 0)
    assert.equal((await send(second)).status, 200, 'a repeat is no further report')
    assert.equal(await makeApp(stage.ask, 'org.example.new'), first.report.appId)
    assert.deepEqual(await appOf(first.report.appId), { status: 'ACTIVE', name: 'Shop' })
    assert.equal((await send(ipsOf('org.example.new'))).status, 201)
  })

  test('the number of unclaimed apps is limited, and a report with a key claims an app', async () => {
    const sent = []
    for (const name of ['one', 'two', 'three', 'four']) sent.push(await send(ipsOf(`org.example.${name}`)))
    assert.deepEqual(
      sent.map(({ status }) => status),
      [201, 201, 201, 429],
    )
    assert.match(sent[3]?.error?.message ?? '', /there are 3 unclaimed apps, which is the most/)
    const claimed = await send(ipsOf('org.example.one'), keyed())
    assert.deepEqual([claimed.status, claimed.report.appId], [201, sent[0]?.report.appId])
    assert.equal((await appOf(claimed.report.appId)).status, 'ACTIVE')
    assert.equal((await send(ipsOf('org.example.four'))).status, 201)
  })

  test('an address can send a number of bytes a day, and a key has no limit', async () => {
    const from = { 'x-forwarded-for': '10.9.9.9' }
    const body = `{}${' '.repeat(12 * 1_024 * 1_024)}`
    assert.equal((await send(body, from)).status, 400)
    const further = await send(body, from)
    assert.deepEqual([further.status, further.error?.code], [429, 'RATE_LIMITED'])
    assert.match(further.error?.message ?? '', /bytes of crash reports from this address/)
    assert.equal((await send(body, { ...from, ...keyed() })).status, 400)
  })

  test('an address can send 30 reports a minute, and a key has no limit', async () => {
    const from = { 'x-forwarded-for': '2001:db8:1:2::1' }
    for (let report = 0; report < 30; report++) assert.equal((await send('{}', from)).status, 400)
    const neighbor = await send('{}', { 'x-forwarded-for': '2001:db8:1:2::ffff' })
    assert.deepEqual([neighbor.status, neighbor.error?.code], [429, 'RATE_LIMITED'])
    assert.equal((await send('{}', { ...from, ...keyed() })).status, 400)
    assert.equal((await send('{}', { 'x-forwarded-for': '2001:db8:1:3::1' })).status, 400)
  })

  test('a page of any origin can send reports', async () => {
    const { status, headers } = await send(ipsOf('org.example.shop'), { origin: 'https://elsewhere.example' })
    assert.deepEqual([status, headers.get('access-control-allow-origin')], [201, '*'])
  })
})

test('a wrong credential is refused, and is not treated as no credential', async () => {
  const file = ipsOf('org.example.shop')
  const { cookie = '' } = await rest(stage.url, 'POST', '/api/auth/sign-in/email', { body: ada })
  const wrong: readonly (readonly [number, Readonly<Record<string, string>>])[] = [
    [401, { 'x-api-key': 'svc_unknown' }],
    [401, { authorization: 'Bearer agent_unknown' }],
    [401, { ...keyed(), authorization: 'Bearer agent_unknown' }],
    [403, { cookie, origin: stage.url }],
  ]
  for (const [expected, headers] of wrong) {
    const { status, error } = await send(file, headers)
    assert.equal(status, expected, `${Object.keys(headers)}: ${error?.message}`)
  }
})

test('an unsupported media type, encoding or content is refused, and nothing is stored', async () => {
  const count = async () =>
    (await stage.ask<{ crashReports: { totalCount: number } }>('{ crashReports { totalCount } }')).crashReports
      .totalCount
  const before = await count()
  const bomb = new Uint8Array(gzipSync(Buffer.alloc(101 * 1024 * 1024, ' ')))
  const refused: readonly (readonly [
    number,
    string | Uint8Array<ArrayBuffer>,
    Readonly<Record<string, string>>,
    RegExp,
  ])[] = [
    [415, 'x', { 'content-type': 'text/html' }, /Content-Type is "text\/html", but must be one of application\/json/],
    [415, 'x', { 'content-encoding': 'compress' }, /Content-Encoding is "compress", but must be one of identity, gzip/],
    [400, 'x', {}, /body: must be a crash report/],
    [400, 'x', { 'content-encoding': 'gzip' }, /body: is not valid gzip/],
    [400, new Uint8Array([0x7b, 0xff]), {}, /body: is not UTF-8/],
    [400, '{}', {}, /bundleIdentifier: must be given/],
    [400, JSON.stringify({ reportId: 'x' }), {}, /reportId: must be a UUID/],
    [400, ipsOf('not_a_bundle'), {}, /bundleIdentifier: must be a bundle identifier/],
    [413, 'x'.repeat(20 * 1024 * 1024 + 1), {}, /20971520 bytes/],
    [413, bomb, { 'content-encoding': 'gzip' }, /more than 104857600 bytes when it is decompressed/],
  ]
  for (const [expected, body, headers, message] of refused) {
    const { status, error } = await send(body, { ...keyed(), ...headers })
    assert.equal(status, expected, error?.message)
    assert.match(error?.message ?? '', message)
  }
  assert.equal(await count(), before)
})

test('while crash reports are not collected, nothing is stored', async () => {
  const save = (crashReports: boolean) =>
    mutate(stage.ask, 'saveTelemetrySettings', { crashReports }, 'telemetrySettings { crashReports }')
  await save(false)
  const file = ipsOf('org.example.shop')
  assert.equal((await send(file, keyed())).status, 202)
  await save(true)
  assert.equal((await send(file, keyed())).status, 201)
})
