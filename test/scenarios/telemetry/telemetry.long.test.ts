/** Telemetry on two servers that share a database, one of which is killed: what was acknowledged is there, once, and off is off for both. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { firstKey, graphql } from '../../kit/program/graphql.ts'
import type { Program } from '../../kit/program/program.ts'
import { type Shared, sharedDatabase } from '../../kit/program/twoServers.ts'
import { until } from '../../kit/program/until.ts'

let shared: Shared
let here: Program
let there: Program
let key: string

before(async () => {
  shared = await sharedDatabase({ LIMIT_TELEMETRY_REQUESTS_PER_MINUTE: '1000000' })
  // Both find the database empty, at the same time.
  ;[here, there] = await Promise.all([shared.start('here'), shared.start('there')])
  key = await firstKey(here.url)
})
after(() => shared?.end())

interface Taken {
  readonly status: number
  readonly accepted: number
  readonly duplicates: number
}

async function send({ url }: Program, items: readonly unknown[]): Promise<Taken> {
  const response = await fetch(`${url}/api/telemetry/console-logs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ items }),
  })
  const { accepted = 0, duplicates = 0 } = (await response.json()) as Partial<Taken>
  return { status: response.status, accepted, duplicates }
}

interface Listed {
  readonly telemetryRecords: {
    readonly nodes: readonly { readonly recordId: string }[]
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
  }
}

/** The names of what is kept of a session, as a server tells them. */
async function kept({ url }: Program, sessionId: string): Promise<readonly string[]> {
  const names: string[] = []
  for (let cursor: string | null = null; ; ) {
    const answer: Listed = await graphql(
      url,
      { 'X-API-Key': key },
      `query ($sessionId: String, $after: String) {
        telemetryRecords(kind: CONSOLE_LOG, filter: { sessionId: $sessionId }, first: 100, after: $after) {
          nodes { recordId } pageInfo { hasNextPage endCursor }
        }
      }`,
      { sessionId, after: cursor },
    )
    const { nodes, pageInfo } = answer.telemetryRecords
    names.push(...nodes.map(({ recordId }) => recordId))
    cursor = pageInfo.endCursor
    if (!pageInfo.hasNextPage) return names
  }
}

const records = (sessionId: string, from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ recordId: `${sessionId} ${from + index}`, body: 'x', sessionId }))

test('the same records, sent 64 times at once to two servers, are stored once', async () => {
  const items = records('same', 0, 5)
  const taken = await Promise.all(
    Array.from({ length: 64 }, (_, n) => send(n % 2 ? here : there, n % 3 ? items : [...items].reverse())),
  )
  assert.ok(taken.every(({ status }) => status === 201))
  assert.equal(
    taken.reduce((sum, { accepted }) => sum + accepted, 0),
    5,
  )
  assert.deepEqual(
    (await kept(there, 'same')).toSorted(),
    items.map(({ recordId }) => recordId),
  )
})

test('if a server is killed while it receives records, the acknowledged ones are stored, and repeated ones are stored once', async () => {
  const acknowledged = new Set<string>()
  const sent: { recordId: string }[][] = []
  let going = true
  const sender = async (sessionId: string) => {
    for (let from = 0; going; from += 10) {
      const items = records(sessionId, from, 10).map((one) => ({ ...one, sessionId: 'killed' }))
      sent.push(items)
      const answer = await send(here, items).catch(() => undefined)
      if (answer?.status !== 201) return
      for (const { recordId } of items) acknowledged.add(recordId)
    }
  }
  const senders = Promise.all(Array.from({ length: 16 }, (_, n) => sender(`s${n}`)))
  await until('some are acknowledged', () => (acknowledged.size > 500 ? true : undefined))
  await here.kill()
  going = false
  await senders
  const found = await kept(there, 'killed')
  assert.equal(new Set(found).size, found.length)
  const lost = [...acknowledged].filter((name) => !found.includes(name))
  assert.deepEqual(lost, [])
  // Each list was kept whole or not at all.
  for (const items of sent) assert.ok([0, 10].includes(items.filter(({ recordId }) => found.includes(recordId)).length))
  here = await shared.start('here')
  for (const items of sent) assert.equal((await send(here, items)).status, 201)
  const names = sent.flat().map(({ recordId }) => recordId)
  assert.deepEqual((await kept(here, 'killed')).toSorted(), names.toSorted())
})

test('telemetry that is turned off at one server is off at the other within a second', async () => {
  const save = (on: boolean) =>
    graphql(
      here.url,
      { 'X-API-Key': key },
      'mutation ($on: Boolean) { saveTelemetrySettings(input: { consoleLogs: $on }) { telemetrySettings { consoleLogs } } }',
      { on },
    )
  const one = (n: number) => records('off', n, 1)
  assert.equal((await send(there, one(0))).status, 201)
  await save(false)
  const saved = performance.now()
  assert.equal((await send(here, one(1))).status, 202, 'at once on the server that has saved it')
  await until('it is off there', async () => ((await send(there, one(1))).status === 202 ? true : undefined), 5_000)
  // A second, and what a loaded machine takes for the asking.
  assert.ok(performance.now() - saved < 2_000)
  await save(true)
  await until('it is on there', async () => ((await send(there, one(2))).status === 201 ? true : undefined), 5_000)
  assert.deepEqual((await kept(there, 'off')).filter((name) => name !== 'off 1').toSorted(), ['off 0', 'off 2'])
})

test('a user with a session can export records as a file', async () => {
  const signedIn = await fetch(`${here.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', password: 'correct horse battery staple' }),
  })
  const { token } = (await signedIn.json()) as { token: string }
  const ask = (query: Record<string, unknown>) =>
    fetch(`${there.url}/api/telemetry/export`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ kind: 'CONSOLE_LOG', format: 'CSV', columns: ['recordId'], query }),
    })
  const file = await ask({ sessionId: 'same' })
  assert.equal(file.status, 200)
  const rows = (await file.text()).trim().split('\r\n').slice(1)
  assert.deepEqual(
    rows.toSorted(),
    records('same', 0, 5).map(({ recordId }) => recordId),
  )
})
