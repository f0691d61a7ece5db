/** Telemetry as anybody sends it: what is kept, what is refused and by which words, and how much of it an address may send. */
import assert from 'node:assert/strict'
import { BlockList } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { objectTypes, operations } from '../../../gateway/operations/operations.ts'
import type { StoredTelemetry, TelemetryKind } from '../../../spec/telemetry/record.ts'
import { raw } from '../../kit/program/raw.ts'
import { ManualClock } from '../../kit/runtime/manualClock.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

const clock = new ManualClock(Date.UTC(2026, 10, 20, 12))
const proxies = new BlockList()
proxies.addSubnet('127.0.0.0', 8)
const limits = { telemetryRequestsPerMinute: 20, telemetryBytesPerDay: 1_000 }
const open = (settings: { readonly limits?: typeof limits } = { limits }): Promise<TestGateway> =>
  startTestGateway({ settings: { trustedProxies: proxies, ...settings }, options: { clock, operations, objectTypes } })
let world: TestGateway

before(async () => {
  world = await open()
})
beforeEach(() => clock.advance(1))
after(() => world.stop())

let senders = 0
const newAddress = (): string => `10.0.${Math.floor(++senders / 250)}.${(senders % 250) + 1}`

interface Answered {
  readonly status: number
  readonly body: { accepted?: number; duplicates?: number; error?: { code: string; message: string; field?: string } }
  readonly headers: Headers
}

async function send(path: 'console-logs' | 'analytics-events', body: unknown, from = newAddress()): Promise<Answered> {
  const response = await fetch(`${world.url}/api/telemetry/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Answered['body'], headers: response.headers }
}

const kept = (kind: TelemetryKind = 'CONSOLE_LOG'): Promise<readonly StoredTelemetry[]> =>
  world.storage.telemetry.read({ kind }, undefined, 10_000)

const log = (own: Record<string, unknown> = {}) => ({ body: 'started', ...own })
const nested = (depth: number): unknown => (depth === 0 ? 1 : { deeper: nested(depth - 1) })

describe('the server accepts', () => {
  test('one record with all fields', async () => {
    const answer = await send('console-logs', {
      recordId: 'whole',
      timestamp: '2026-11-20T13:00:00.123456+02:00',
      severityText: 'Warning',
      body: { message: 'ディスクの空きが少ない', free: 0.05 },
      attributes: { 'disk.name': 'sda', constructor: 'kept' },
      resource: { 'service.name': 'shop' },
      traceId: 'ABCDEF0123456789ABCDEF0123456789',
      spanId: '0123456789abcdef',
      sessionId: 's1',
      eventName: null,
    })
    assert.deepEqual([answer.status, answer.body], [201, { accepted: 1 }])
    const [{ number: _, ...one } = { number: 0 }] = await kept()
    assert.deepEqual(one, {
      kind: 'CONSOLE_LOG',
      recordId: 'whole',
      timestamp: Date.UTC(2026, 10, 20, 11, 0, 0, 123),
      observedTimestamp: clock.now(),
      severityText: 'Warning',
      severityNumber: 13,
      eventName: null,
      body: { message: 'ディスクの空きが少ない', free: 0.05 },
      attributes: { 'disk.name': 'sda', constructor: 'kept' },
      resource: { 'service.name': 'shop' },
      traceId: 'abcdef0123456789abcdef0123456789',
      spanId: '0123456789abcdef',
      sessionId: 's1',
    })
  })

  test('a record with only the required fields', async () => {
    assert.equal((await send('console-logs', { body: '' })).status, 201)
    const [one] = await kept()
    assert.deepEqual([one?.timestamp, one?.body, one?.severityNumber, one?.attributes], [clock.now(), '', null, {}])
    assert.equal((await send('analytics-events', { eventName: 'opened' })).status, 201)
    assert.deepEqual(
      (await kept('ANALYTICS_EVENT')).map(({ eventName, body }) => [eventName, body]),
      [['opened', null]],
    )
  })

  test('500 records in one list, and keeps their order', async () => {
    await world.stop()
    world = await open({})
    const items = Array.from({ length: 500 }, (_, index) => log({ body: `${index}` }))
    assert.deepEqual((await send('console-logs', { items })).body, { accepted: 500 })
    assert.deepEqual(
      (await kept()).map(({ body }) => body),
      items.map(({ body }) => body).reverse(),
    )
    await world.stop()
    world = await open()
  })

  test('a repeated record ID, and counts it as a duplicate without storing it', async () => {
    const items = [log({ recordId: 'n1' }), log({ recordId: 'n2' }), log({ recordId: 'n1', body: 'again' })]
    assert.deepEqual((await send('console-logs', { items })).body, { accepted: 2, duplicates: 1 })
    assert.deepEqual((await send('console-logs', { items })).body, { accepted: 0, duplicates: 3 })
    const [named] = (await kept()).filter(({ recordId }) => recordId === 'n1')
    assert.equal(named?.body, 'started')
  })

  test('characters that no database can store, as U+FFFD, and control characters unchanged', async () => {
    const body = '{"body": "half \\ud83d, NUL \\u0000, \\u001b[31mred", "attributes": {"k\\u0000": ["\\udc00"]}}'
    assert.equal((await send('console-logs', body)).status, 201)
    const [one] = await kept()
    assert.equal(one?.body, 'half \ufffd, NUL \ufffd, \u001b[31mred')
    assert.deepEqual(one?.attributes, { 'k\ufffd': ['\ufffd'] })
  })

  test('a record with an invalid credential', async () => {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer nobody', 'x-api-key': 'svc_nothing' }
    const answer = await fetch(`${world.url}/api/telemetry/console-logs`, {
      method: 'POST',
      headers,
      body: '{"body":1}',
    })
    assert.equal(answer.status, 201)
  })
})

/** An invalid record, and the field and the problem in its refusal. */
const wrong: readonly [words: string, record: unknown, field: string, says: RegExp][] = [
  ['no body', {}, 'body', /must be given/],
  ['null as the body', { body: null }, 'body', /null/],
  ['an unknown field', log({ sevrityText: 'INFO' }), 'sevrityText', /not a field/],
  ['a severity of 0', log({ severityNumber: 0 }), 'severityNumber', /1 to 24/],
  ['a severity of 25', log({ severityNumber: 25 }), 'severityNumber', /1 to 24/],
  ['a severity that is not an integer', log({ severityNumber: 9.5 }), 'severityNumber', /integer/],
  ['a severity as text', log({ severityNumber: '9' }), 'severityNumber', /number/],
  ['a short trace', log({ traceId: 'abc' }), 'traceId', /32 hexadecimal/],
  ['a trace of zeros', log({ traceId: '0'.repeat(32) }), 'traceId', /not all zero/],
  ['a trace with a line end', log({ traceId: `${'a'.repeat(32)}\n` }), 'traceId', /32 hexadecimal/],
  ['a long span', log({ spanId: 'a'.repeat(17) }), 'spanId', /16 hexadecimal/],
  ['a time in nanoseconds', log({ timestamp: '1763640000000000000' }), 'timestamp', /RFC 3339/],
  ['a number as a time', log({ timestamp: 1_763_640_000 }), 'timestamp', /RFC 3339/],
  ['a time without a zone', log({ timestamp: '2026-11-20T12:00:00' }), 'timestamp', /RFC 3339/],
  ['the 30th of February', log({ timestamp: '2026-02-30T12:00:00Z' }), 'timestamp', /RFC 3339/],
  ['a year of five digits', log({ timestamp: '9999-12-31T23:30:00-01:00' }), 'timestamp', /RFC 3339/],
  ['hour 24', log({ timestamp: '2026-02-28T24:00:00Z' }), 'timestamp', /RFC 3339/],
  ['attributes as a list', log({ attributes: [] }), 'attributes', /object/],
  ['attributes too deep', log({ attributes: nested(9) }), 'attributes', /deep/],
  [
    'too many attributes',
    log({ attributes: Object.fromEntries(Array.from({ length: 300 }, (_, n) => [n, n])) }),
    'attributes',
    /256 values/,
  ],
  ['a long key', log({ attributes: { ['k'.repeat(257)]: 1 } }), 'attributes', /keys/],
  ['a resource that is text', log({ resource: 'shop' }), 'resource', /object/],
  ['a body too long', { body: 'x'.repeat(65_537) }, 'body', /65536 characters/],
  ['NUL in a name', log({ recordId: 'a\u0000' }), 'recordId', /control characters/],
  ['half a character in a session', log({ sessionId: '\ud800' }), 'sessionId', /surrogates/],
  ['an empty name', log({ recordId: '' }), 'recordId', /at least 1/],
  ['a long name', log({ recordId: 'x'.repeat(129) }), 'recordId', /at most 128/],
]

describe('the server refuses', () => {
  for (const [words, record, field, says] of wrong) {
    test(`${words}: alone, and as the last of 500 records, of which none is stored`, async () => {
      const before = (await kept()).length
      const alone = await send('console-logs', record)
      assert.deepEqual([alone.status, alone.body.error?.code, alone.body.error?.field], [400, 'BAD_USER_INPUT', field])
      assert.match(alone.body.error?.message ?? '', says)
      const items = [...Array.from({ length: 499 }, () => log()), record]
      const listed = await send('console-logs', { items })
      assert.deepEqual([listed.status, listed.body.error?.field], [400, `items[499].${field}`])
      assert.match(listed.body.error?.message ?? '', says)
      assert.equal((await kept()).length, before)
    })
  }

  const bodies: readonly [words: string, body: string, field: string | undefined][] = [
    ['a body that is not JSON', '{', undefined],
    ['an empty body', '', 'body'],
    ['a list without a name', '[{"body":"x"}]', 'body'],
    ['a number', '7', 'body'],
    ['an empty list', '{"items":[]}', 'items'],
    ['items that are not a list', '{"items":{}}', 'items'],
    ['an item that is not an object', '{"items":[{"body":"x"},null]}', 'items[1]'],
    ['a list and a record', '{"items":[{"body":"x"}],"body":"y"}', 'body'],
    ['501 records', JSON.stringify({ items: Array.from({ length: 501 }, () => log()) }), 'items'],
  ]
  for (const [words, body, field] of bodies) {
    test(words, async () => {
      const { status, body: answer } = await send('console-logs', body)
      assert.deepEqual([status, answer.error?.code, answer.error?.field], [400, 'BAD_USER_INPUT', field])
    })
  }

  test('an analytics event without its name', async () => {
    const { status, body } = await send('analytics-events', { items: [{ eventName: 'a' }, { body: 'x' }] })
    assert.deepEqual([status, body.error?.field], [400, 'items[1].eventName'])
  })

  test('a body over the limit while it is read', async () => {
    const head = 'POST /api/telemetry/console-logs HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n'
    // Chunked: nothing announces how much there is. The end never comes.
    const chunk = `${(3 * 1024 * 1024).toString(16)}\r\n${' '.repeat(3 * 1024 * 1024)}\r\n`
    const answering = raw(world.gateway.port, [`${head}transfer-encoding: chunked\r\n\r\n${chunk}`])
    // The body of a refused request is read for a second, for clients that read the response only after they have sent it.
    const waiting = setInterval(() => void clock.advance(1_000), 20)
    const answer = await answering.finally(() => clearInterval(waiting))
    assert.equal(answer.status, 413)
    assert.match(answer.body, /PAYLOAD_TOO_LARGE/)
  })

  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', 'application/json-seq']) {
    test(`a body of ${type}`, async () => {
      const headers = { 'content-type': type, 'x-forwarded-for': newAddress() }
      const answer = await fetch(`${world.url}/api/telemetry/console-logs`, {
        method: 'POST',
        headers,
        body: '{"body":1}',
      })
      assert.equal(answer.status, 415)
    })
  }
})

describe('the server limits', () => {
  test('the requests of an address in a minute, invalid ones too', async () => {
    const address = newAddress()
    for (let sent = 0; sent < 20; sent++) {
      const { status, headers } = await send('console-logs', sent % 2 ? '{' : log(), address)
      assert.equal(status, sent % 2 ? 400 : 201)
      if (status === 201) assert.equal(headers.get('ratelimit-remaining'), String(19 - sent))
    }
    const over = await send('analytics-events', { eventName: 'x' }, address)
    assert.deepEqual([over.status, over.body.error?.code], [429, 'RATE_LIMITED'])
    const named = ['retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']
    assert.deepEqual(
      named.map((name) => over.headers.get(name)),
      ['60', '20', '0', '60'],
    )
    assert.equal((await send('console-logs', log())).status, 201, 'another address')
    await clock.advance(59_999)
    assert.equal((await send('console-logs', log(), address)).status, 429)
    await clock.advance(1)
    assert.equal((await send('console-logs', log(), address)).status, 201)
  })

  test('the bytes of an address in a day, and counts only stored records', async () => {
    const address = newAddress()
    const big = JSON.stringify(log({ body: 'x'.repeat(400) }))
    assert.equal((await send('console-logs', `${big.slice(0, -1)},"nothing":1}`, address)).status, 400)
    for (let sent = 0; sent < 2; sent++) assert.equal((await send('console-logs', big, address)).status, 201)
    const before = (await kept()).length
    const over = await send('console-logs', big, address)
    assert.deepEqual([over.status, over.headers.get('retry-after')], [429, '86400'])
    assert.equal((await kept()).length, before)
    assert.equal((await send('console-logs', log(), address)).status, 201, 'what is left is taken')
    await clock.leap(86_400_000)
    assert.equal((await send('console-logs', big, address)).status, 201)
  })

  test('the addresses of an IPv6 subscriber together', async () => {
    for (let sent = 0; sent < 20; sent++) await send('console-logs', log(), `2001:db8::${sent + 1}`)
    assert.equal((await send('console-logs', log(), '2001:db8::ffff')).status, 429)
    assert.equal((await send('console-logs', log(), '2001:db8:0:1::1')).status, 201)
  })
})

describe('the collection of records', () => {
  const save = async (consoleLogs: boolean) => {
    const { userId } = await world.signIn()
    const { token } = await world.apiKey(userId)
    const mutation = `mutation ($on: Boolean) {
      saveTelemetrySettings(input: { consoleLogs: $on }) { telemetrySettings { consoleLogs analyticsEvents } }
    }`
    const { body } = await world.graphql(mutation, { on: consoleLogs }, { 'x-api-key': token })
    return body.data?.saveTelemetrySettings
  }

  test('checks records without storing them while it is off', async () => {
    const before = (await kept()).length
    assert.deepEqual(await save(false), { telemetrySettings: { consoleLogs: false, analyticsEvents: true } })
    const off = await send('console-logs', { items: [log({ recordId: 'while off' }), log()] })
    assert.deepEqual([off.status, off.body], [202, { accepted: 0 }])
    assert.equal((await send('console-logs', { body: null })).status, 400)
    assert.equal((await send('analytics-events', { eventName: 'x' })).status, 201, 'the other kind is on')
    assert.equal((await kept()).length, before)
    assert.deepEqual(await save(true), { telemetrySettings: { consoleLogs: true, analyticsEvents: true } })
    assert.deepEqual((await send('console-logs', log({ recordId: 'while off' }))).body, { accepted: 1 })
  })

  test('reads its setting at most once a second, so that a request costs no query', async () => {
    await clock.advance(1_000)
    await send('console-logs', log())
    const asked = world.queries.length
    for (let sent = 0; sent < 10; sent++) await send('console-logs', log())
    assert.equal(world.queries.length, asked)
    await clock.advance(1_000)
    await Promise.all(Array.from({ length: 10 }, () => send('console-logs', log())))
    assert.deepEqual(world.queries.slice(asked), ['get'])
  })

  test('refuses requests and stores no record while its setting cannot be read', async () => {
    await clock.advance(1_000)
    const before = (await kept()).length
    world.away = true
    assert.equal((await send('console-logs', log())).status, 500)
    world.away = false
    assert.equal((await kept()).length, before)
    assert.equal((await send('console-logs', log())).status, 201)
  })
})

describe('the list of records', () => {
  const list = `query ($kind: TelemetryKind!, $filter: TelemetryFilter, $first: Int, $after: String) {
    telemetryRecords(kind: $kind, filter: $filter, first: $first, after: $after) {
      nodes { recordId body attributes timestamp observedTimestamp severityNumber sessionId }
      pageInfo { hasNextPage hasPreviousPage endCursor }
    }
  }`
  interface Listed {
    readonly nodes: readonly { readonly recordId: string; readonly [field: string]: unknown }[]
    readonly pageInfo: { readonly hasNextPage: boolean; readonly hasPreviousPage: boolean; readonly endCursor: string }
  }
  let key: string
  let received: string
  const ask = async (variables: Record<string, unknown>) => {
    const { body } = await world.graphql(list, { kind: 'CONSOLE_LOG', ...variables }, { 'x-api-key': key })
    return { found: body.data?.telemetryRecords as Listed | undefined, error: body.errors?.[0]?.extensions }
  }
  before(async () => {
    key = (await world.apiKey((await world.signIn()).userId)).token
    for (let n = 0; n < 5; n++) {
      await clock.advance(1)
      await send(
        'console-logs',
        log({ recordId: `l${n}`, sessionId: 'listed', severityNumber: n + 1, attributes: { n } }),
      )
    }
    received = new Date(clock.now()).toISOString()
  })

  test('is sorted newest first, in pages', async () => {
    const pages: (readonly string[])[] = []
    for (let after: string | null = null; ; ) {
      const { found } = await ask({ filter: { sessionId: 'listed' }, first: 2, after })
      pages.push(found?.nodes.map(({ recordId }) => recordId) ?? [])
      assert.equal(found?.pageInfo.hasPreviousPage, after !== null)
      if (!found?.pageInfo.hasNextPage) break
      after = found.pageInfo.endCursor
    }
    assert.deepEqual(pages, [['l4', 'l3'], ['l2', 'l1'], ['l0']])
  })

  test('can be filtered', async () => {
    const { found } = await ask({ filter: { sessionId: 'listed', severityMin: 5 } })
    assert.deepEqual(found?.nodes, [
      {
        recordId: 'l4',
        body: 'started',
        attributes: { n: 4 },
        timestamp: received,
        observedTimestamp: received,
        severityNumber: 5,
        sessionId: 'listed',
      },
    ])
  })

  test('is refused with an invalid argument, and the error names the field', async () => {
    const wrongly = [
      [{ filter: { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' } }, 'filter.to'],
      [{ filter: { from: 'yesterday' } }, 'filter.from'],
      [{ after: 'nowhere' }, 'after'],
      [{ first: 101 }, 'first'],
    ] as const
    for (const [variables, field] of wrongly) {
      const { error } = await ask(variables)
      assert.deepEqual(
        [error?.code, (error?.details as { field?: string } | undefined)?.field],
        ['BAD_USER_INPUT', field],
      )
    }
  })
})
