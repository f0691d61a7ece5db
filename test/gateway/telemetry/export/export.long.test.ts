/** Telemetry taken out over HTTP: who may, what is refused, and what the files are. */
import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { after, before, describe, test } from 'node:test'
import { extractText, getDocumentProxy } from 'unpdf'
import { Exporter } from '../../../../gateway/operations/telemetry/export/exporter.ts'
import type { ExportJob } from '../../../../gateway/operations/telemetry/export/job.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import type { StoredTelemetry, TelemetryReader } from '../../../../spec/telemetry/record.ts'
import { startTestGateway, type TestGateway } from '../../../kit/runtime/testGateway.ts'
import { aRecord } from './record.ts'

const at = Date.UTC(2026, 10, 20, 16, 48, 38, 123)
const japanese = '吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。'
let world: TestGateway
let token: string

before(async () => {
  world = await startTestGateway()
  token = (await world.signIn()).token
  await world.storage.telemetry.append([
    aRecord({ timestamp: at, observedTimestamp: at, body: japanese, severityText: 'INFO', severityNumber: 9 }),
    aRecord({ timestamp: at, observedTimestamp: at + 1, body: '=1+1', severityText: 'ERROR', severityNumber: 17 }),
    aRecord({
      kind: 'ANALYTICS_EVENT',
      timestamp: at,
      observedTimestamp: at + 2,
      eventName: 'bought',
      sessionId: 's1',
      attributes: { price: 1_234.5, お店: '東京' },
    }),
  ])
})
after(() => world.stop())

async function ask(body: unknown, headers: Record<string, string> = { authorization: `Bearer ${token}` }) {
  const response = await fetch(`${world.url}/api/telemetry/export`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const bytes = new Uint8Array(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes, text: Buffer.from(bytes).toString() }
}

const logs = { kind: 'CONSOLE_LOG', format: 'CSV' }

/** The text of each page, as another program reads it. */
async function textOf(pdf: Uint8Array): Promise<readonly string[]> {
  return (await extractText(await getDocumentProxy(pdf), { mergePages: false })).text
}

describe('the export returns', () => {
  test('a CSV with headers that keep a browser from displaying it', async () => {
    const { status, headers, text } = await ask({ ...logs, locale: 'de', timeZone: 'Europe/Berlin' })
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="console-logs-\d{8}T\d{6}Z\.csv"$/)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(
      text,
      [
        '\ufeffZeit (Europe/Berlin),Schweregrad,Meldung,Sitzung,Attribute',
        "20.11.2026, 17:48:38,123,ERROR,'=1+1,,".replace(/^(.*?),123/, '"$1,123"'),
        `"20.11.2026, 17:48:38,123",INFO,${japanese},,`,
        '',
      ].join('\r\n'),
    )
  })

  test('Markdown with the requested columns and records', async () => {
    const columns = ['eventName', 'attributes.price', 'attributes.お店']
    const query = { sessionId: 's1' }
    const { headers, text } = await ask({ kind: 'ANALYTICS_EVENT', format: 'MARKDOWN', columns, query, locale: 'ja' })
    assert.equal(headers.get('content-type'), 'text/markdown; charset=utf-8')
    assert.match(headers.get('content-disposition') ?? '', /"analytics-events-.*\.md"/)
    assert.match(
      text,
      /^# 分析イベント\n[\s\S]*\| イベント \| attributes\.price \| attributes\.お店 \|\n[\s\S]*\| bought \| 1,234\.5 \| 東京 \|\n\n件数: 1\n$/,
    )
  })

  test('a PDF in which Japanese is text, with an embedded font', async () => {
    const { headers, bytes } = await ask({ ...logs, format: 'PDF', locale: 'ja', timeZone: 'Asia/Tokyo' })
    assert.equal(headers.get('content-type'), 'application/pdf')
    assert.equal(Buffer.from(bytes.slice(0, 5)).toString(), '%PDF-')
    assert.match(Buffer.from(bytes).toString('latin1'), /\/BaseFont \/[A-Z]{6}\+NotoSansJP-Regular/)
    assert.ok(bytes.length < 200_000, 'only the glyphs that are used are in it')
    const [page = ''] = await textOf(bytes)
    for (const text of [
      'コンソールログ',
      '日時 (Asia/Tokyo)',
      '2026/11/21 01:48:38.123',
      'INFO',
      '1 / 1 ページ',
      '件数: 2',
    ])
      assert.ok(page.includes(text), `${text} in ${page}`)
    assert.ok(page.replace(/\s/g, '').includes(japanese))
  })

  const queries: readonly [words: string, query: Record<string, unknown>, rows: number][] = [
    ['no filter', {}, 2],
    ['a severity', { severityMin: 17 }, 1],
    ['a text', { text: '名前' }, 1],
    ['a beginning', { from: '2026-11-20T17:48:38.124+01:00' }, 1],
    ['an end', { to: '2026-11-20T16:48:38.124Z' }, 1],
    ['an unknown session', { sessionId: 'none' }, 0],
    ['a limit of one record', { limit: 1 }, 1],
  ]
  for (const [words, query, rows] of queries) {
    test(`the records of a query with ${words}`, async () => {
      const { text } = await ask({ ...logs, query })
      assert.equal(text.split('\r\n').length - 2, rows)
      assert.doesNotMatch(text, /Cut off/)
    })
  }
})

describe('the export refuses', () => {
  const wrong: readonly [words: string, body: Record<string, unknown>, field: string, says: RegExp][] = [
    ['an unknown language', { locale: 'it' }, 'locale', /en, de, fr, es, ja/],
    ['a language with a country', { locale: 'en-US' }, 'locale', /one of/],
    ['a language that is not a text', { locale: 7 }, 'locale', /one of/],
    ['an unknown time zone', { timeZone: 'Mars/Olympus' }, 'timeZone', /IANA/],
    ['an offset as the time zone', { timeZone: '+09:00' }, 'timeZone', /IANA/],
    ['no time zone', { timeZone: '' }, 'timeZone', /IANA/],
    ['a time zone with a line end', { timeZone: 'UTC\n' }, 'timeZone', /IANA/],
    ['another format', { format: 'XLSX' }, 'format', /CSV, MARKDOWN, PDF/],
    ['another kind', { kind: 'CRASH' }, 'kind', /CONSOLE_LOG or ANALYTICS_EVENT/],
    ['no format', { format: undefined }, 'format', /must be given/],
    ['an unknown column', { columns: ['body', 'password'] }, 'columns[1]', /a field of a record/],
    ['a column twice', { columns: ['body', 'body'] }, 'columns', /once/],
    ['no columns', { columns: [] }, 'columns', /a column/],
    ['51 columns', { columns: Array.from({ length: 51 }, (_, n) => `attributes.${n}`) }, 'columns', /at most 50/],
    [
      '9 columns of a PDF',
      { format: 'PDF', columns: Array.from({ length: 9 }, (_, n) => `attributes.${n}`) },
      'columns',
      /at most 8/,
    ],
    ['an unknown field of a query', { query: { user: 'x' } }, 'query.user', /not a field/],
    [
      'an end before the beginning',
      { query: { from: '2026-01-02T00:00:00Z', to: '2026-01-02T00:00:00Z' } },
      'query.to',
      /later/,
    ],
    ['a limit of 0', { query: { limit: 0 } }, 'query.limit', /1 to 50000/],
    ['an unknown field', { zone: 'UTC' }, 'zone', /not a field/],
  ]
  for (const [words, own, field, says] of wrong) {
    test(words, async () => {
      const { status, text } = await ask({ ...logs, ...own })
      const { error } = JSON.parse(text)
      assert.deepEqual([status, error.code, error.field], [400, 'BAD_USER_INPUT', field])
      assert.match(error.message, says)
    })
  }

  test('a caller without a session', async () => {
    const { userId } = await world.signIn()
    const key = await world.apiKey(userId)
    const agent = await world.agent()
    assert.equal((await ask(logs, {})).status, 401)
    assert.equal((await ask(logs, { 'x-api-key': key.token })).status, 403)
    assert.equal((await ask(logs, { authorization: `Bearer ${agent.token}` })).status, 403)
  })

  test('a body over 256 KiB', async () => {
    const { status, text } = await ask({ ...logs, query: { text: 'x'.repeat(256 * 1024) } })
    assert.deepEqual([status, JSON.parse(text).error.code], [413, 'PAYLOAD_TOO_LARGE'])
  })
})

/** So many records, of which each page is made as it is asked for. */
function endless(count: number, body: (n: number) => string): TelemetryReader {
  return {
    async read(_query, after, limit): Promise<readonly StoredTelemetry[]> {
      const first = after === undefined ? count : after.number - 1
      const length = Math.max(0, Math.min(limit, first))
      return Array.from({ length }, (_, index) => aRecord({ number: first - index, body: body(first - index) }))
    },
  }
}

const job = (own: Partial<ExportJob>): ExportJob => ({
  format: 'CSV',
  query: { kind: 'CONSOLE_LOG' },
  columns: ['timestamp', 'body'],
  locale: 'en',
  timeZone: 'UTC',
  at,
  ...own,
})

describe('the limits of an export', () => {
  const lines = async (exporter: Exporter, own: Partial<ExportJob>, limit?: number) =>
    Buffer.from(await exporter.export(job(own), limit))
      .toString()
      .trimEnd()
      .split('\r\n')
      .slice(1)

  test('a file has at most 50,000 records, and states if there are more', async () => {
    const whole = await lines(new Exporter(endless(50_000, String)), {})
    assert.equal(whole.length, 50_000)
    const cut = await lines(new Exporter(endless(50_001, String)), { locale: 'de' })
    assert.equal(cut.length, 50_001)
    assert.match(cut.at(-1) ?? '', /nur die neuesten 50\.000 Einträge/)
    assert.match(cut[0] ?? '', /,50001$/, 'the newest is the first')
  })

  test('a file has fewer records if the caller requests fewer', async () => {
    assert.equal((await lines(new Exporter(endless(1_000, String)), {}, 450)).length, 450)
  })

  test('a file has a limited amount of text', async () => {
    const exporter = new Exporter(
      endless(100, () => 'x'.repeat(1_000)),
      { characters: 20_000 },
    )
    const cut = await lines(exporter, {})
    assert.ok(cut.length > 10 && cut.length < 21)
    assert.equal(cut.at(-1), `Cut off: only the newest ${cut.length - 1} records are in this file.`)
  })

  test('an export that takes too long fails', async () => {
    const exporter = new Exporter(endless(50_000, String), { withinMs: 1 })
    await assert.rejects(exporter.export(job({})), { code: 'COST_LIMIT_EXCEEDED' })
  })

  test('an error of storage is returned, and the next export succeeds', async () => {
    let refusal: Failure | undefined = new Failure('COST_LIMIT_EXCEEDED', 'too much')
    const some = endless(3, String)
    const exporter = new Exporter({ read: (...given) => (refusal ? Promise.reject(refusal) : some.read(...given)) })
    for (let n = 0; n < 3; n++) await assert.rejects(exporter.export(job({})), { code: 'COST_LIMIT_EXCEEDED' })
    refusal = undefined
    assert.equal((await lines(exporter, {})).length, 3)
  })

  test('a worker thread that fails does not end the program', async () => {
    // It fails at once, while a page is still being read.
    const slow = endless(3, String)
    const reader: TelemetryReader = {
      read: async (...given) => {
        await new Promise((resolve) => setTimeout(resolve, 500))
        return await slow.read(...given)
      },
    }
    await assert.rejects(new Exporter(reader).export(job({ timeZone: 'Nowhere' })), /RangeError|time zone/i)
  })

  test('exports above the limits of running and waiting exports are refused with UNAVAILABLE', async () => {
    const exporter = new Exporter(endless(10, String), { atOnce: 1, waiting: 2 })
    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => exporter.export(job({}))))
    assert.deepEqual(
      answers.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'],
    )
    const [refused] = answers.filter((one) => one.status === 'rejected')
    assert.equal(refused?.status === 'rejected' && (refused.reason as Failure).code, 'UNAVAILABLE')
  })

  test('a PDF of 5,000 Japanese records is created without blocking the event loop', async () => {
    const exporter = new Exporter(endless(6_000, (n) => `${n}: ${japanese.repeat(3)}`))
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const file = await exporter.export(job({ format: 'PDF', locale: 'ja' }))
    delay.disable()
    const pages = await textOf(file)
    assert.ok(pages.length > 100)
    assert.ok(pages.at(-1)?.includes('5,000件'), 'the last page states that the file was cut off')
    assert.ok(
      pages.every((page) => page.includes('メッセージ')),
      'each page has the headings',
    )
    assert.ok(pages[1]?.includes(`2 / ${pages.length} ページ`))
    // The worker thread works for seconds, but does not block this one. The limit is generous for a machine with other load.
    assert.ok(delay.percentile(99) / 1e6 < 250, `p99 ${delay.percentile(99) / 1e6} ms`)
  })

  test('headings that are higher than a page leave space for rows', async () => {
    const columns = [`attributes.${'\n'.repeat(280)}`, `attributes.${'長'.repeat(280)}`, 'body']
    const pages = await textOf(await new Exporter(endless(3, String)).export(job({ format: 'PDF', columns })))
    assert.equal(pages.length, 1)
  })

  test('a record that is higher than a page continues on further pages, and characters without a glyph are replaced', async () => {
    const body = '\u0000\u202e😀 שלום '.concat('行\n'.repeat(480))
    const columns = [
      'timestamp',
      'severityText',
      'severityNumber',
      'sessionId',
      'traceId',
      'spanId',
      'recordId',
      'body',
    ]
    const exporter = new Exporter(endless(2, () => body))
    const pages = await textOf(await exporter.export(job({ format: 'PDF', columns })))
    assert.ok(pages.length > 20)
    assert.ok(pages.join('').replace(/\s/g, '').includes('[U+0000][U+202E]'))
    assert.ok(pages.at(-1)?.includes('〓 replaces characters'))
  })
})
