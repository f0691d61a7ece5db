/** Streams of server-sent events as Chromium's `EventSource` reads them through nginx with its default buffering. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { openChromium } from '../../kit/browser/chromium.ts'
import { ada, rest } from '../../kit/program/accounts.ts'
import { resettingProxy } from '../../kit/program/eventStream.ts'
import { type Nginx, startNginx } from '../../kit/program/servers/nginx.ts'
import { startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

const path = '/api/telemetry/console-logs/stream'

let stage: TestProgram
let between: Awaited<ReturnType<typeof resettingProxy>>
let nginx: Nginx
let browser: Browser
let page: Page

before(async () => {
  stage = await startTestProgram({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
  between = await resettingProxy(stage.ports.main)
  nginx = await startNginx(Number(new URL(between.url).port))
  browser = await openChromium()
  const { cookie = '' } = await rest(stage.url, 'POST', '/api/auth/sign-in/email', { body: ada })
  const [name = '', value = ''] = cookie.split('=')
  const context = await browser.newContext()
  await context.addCookies([{ name, value, url: nginx.url }])
  page = await context.newPage()
  await page.goto(`${nginx.url}/settings`)
})
after(async () => {
  await browser?.close()
  await nginx?.stop()
  await between?.close()
  await stage?.end()
})

interface Read {
  readonly type: string
  readonly id: string
  readonly data: string
  /** The browser's clock, which is this machine's. */
  readonly at: number
}

/** Opens an `EventSource` in the page. */
async function open(): Promise<void> {
  await page.evaluate((address) => {
    const source = new EventSource(address)
    const events: unknown[] = []
    for (const type of ['endpoint', 'message', 'end', 'error'])
      source.addEventListener(type, (event) => {
        const { data, lastEventId } = event as MessageEvent
        events.push({ type, id: lastEventId ?? '', data: data ?? '', at: Date.now() })
      })
    Object.assign(window, { source, events })
  }, path)
  await until('the first event', async () => (await read())[0])
}

const read = () => page.evaluate(() => (window as unknown as { events: Read[] }).events)
const close = () => page.evaluate(() => (window as unknown as { source: EventSource }).source.close())
const bodiesIn = (events: readonly Read[]) =>
  events.flatMap(({ type, data }) => (type === 'message' ? [(JSON.parse(data) as { body: string }).body] : []))

async function store(bodies: readonly string[]): Promise<void> {
  const body = { items: bodies.map((one) => ({ body: one })) }
  assert.equal((await rest(stage.url, 'POST', '/api/telemetry/console-logs', { body })).status, 201)
}

test('each event arrives at once, and the first one names nginx as the proxy', async () => {
  await open()
  const [first] = await read()
  const { proxyUrl, remoteUrl, endpointPath } = JSON.parse(first?.data ?? '{}')
  assert.deepEqual([proxyUrl, remoteUrl, endpointPath], [nginx.url, nginx.url, path])
  const sent: number[] = []
  for (let index = 0; index < 20; index++) {
    sent.push(Date.now())
    await store([`single ${index}`])
    await sleep(100)
  }
  await until('all records', async () => (bodiesIn(await read()).length >= 20 ? true : undefined))
  const received = (await read()).filter(({ type }) => type === 'message').map(({ at }) => at)
  const delays = received.map((at, index) => at - (sent[index] ?? 0)).sort((a, b) => a - b)
  assert.ok((delays.at(-1) ?? 0) < 1_000, `delays: ${delays.join(' ')} ms`)
  await close()
})

test('nothing is missing or repeated when connections are reset while records are stored', async () => {
  await open()
  let count = 0
  for (let round = 0; round < 60; round++) {
    await store(Array.from({ length: 1 + (round % 7) }, () => `record ${count++}`))
    if (round % 12 === 5) between.reset()
    await sleep(round % 12 === 0 ? 1_200 : 20)
  }
  await until('all records', async () => (bodiesIn(await read()).length >= count ? true : undefined))
  await sleep(500)
  const events = await read()
  assert.deepEqual(
    bodiesIn(events),
    Array.from({ length: count }, (_, index) => `record ${index}`),
  )
  const connections = events.filter(({ type }) => type === 'endpoint').length
  assert.ok(connections >= 4, `${connections} connections`)
  await close()
})

test('a silent stream stays open for longer than a minute, after which nginx would close it', async () => {
  await open()
  await sleep(70_000)
  await store(['after the silence'])
  await until('the record', async () => bodiesIn(await read())[0])
  const events = await read()
  assert.deepEqual(
    events.map(({ type }) => type),
    ['endpoint', 'message'],
  )
  await close()
})

test('after a restart of the server a stream continues after its last ID, and no record is missing or repeated', async () => {
  await open()
  await store(['before'])
  await until('the record', async () => bodiesIn(await read())[0])
  const [id] = (await read()).filter(({ type }) => type === 'message').map((event) => event.id)
  await stage.restart({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
  await store(['after'])
  // While the server was down, nginx answered 502, after which `EventSource` gives up. A page then begins again with its last ID.
  await close()
  await page.evaluate((address) => {
    const bodies: string[] = []
    const source = new EventSource(address)
    source.onmessage = ({ data }) => bodies.push((JSON.parse(data) as { body: string }).body)
    Object.assign(window, { source, bodies })
  }, `${path}?lastEventId=${id}`)
  const bodies = () => page.evaluate(() => (window as unknown as { bodies: string[] }).bodies)
  await until('the record', async () => (await bodies())[0])
  assert.deepEqual(await bodies(), ['after'])
  await close()
})
