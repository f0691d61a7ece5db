/** The ends of a subscription that its subscriber learns of. The server is that of the library `graphql-ws`. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { buildSchema, GraphQLError } from 'graphql'
import { useServer } from 'graphql-ws/use/ws'
import { WebSocketServer } from 'ws'
import { graphql } from '../../../../clients/console/app/data/graphql.ts'
import { subscribe } from '../../../../clients/console/app/data/liveUpdates.ts'
import { until } from '../../../kit/program/until.ts'

const schema = buildSchema('type Query { a: Int } type Subscription { counted(first: Int): Int }')
const released: (() => void)[] = []
const http = createServer()
const sockets = new WebSocketServer({ server: http, path: '/graphql' })
const served = useServer(
  {
    schema,
    roots: {
      subscription: {
        counted: async function* ({ first }: { first: number }) {
          if (first < 0) throw new GraphQLError('No.', { extensions: { code: 'HISTORY_GONE', retryable: false } })
          for (let count = 0; count < first; count++) yield { counted: count }
          if (first === 0) await new Promise<void>((resolve) => released.push(resolve))
        },
      },
    },
  },
  sockets,
)
await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
const { port } = http.address() as AddressInfo
// Browsers have both.
Object.assign(globalThis, {
  location: { protocol: 'http:', host: `127.0.0.1:${port}` },
  CloseEvent: class extends Event {},
})
after(async () => {
  for (const release of released) release()
  await served.dispose()
  http.close()
})

/** A subscription, and all that its subscriber receives, in order. */
function follow(first: number) {
  const got: (number | string)[] = []
  const document = graphql('subscription ($first: Int) { counted(first: $first) }' as never)
  const stop = subscribe<{ counted: number }, { first: number }>(
    document as never,
    { first },
    ({ counted }) => got.push(counted),
    ({ code }) => got.push(code),
    () => got.push('complete'),
  )
  return { got, stop }
}

test('a subscription that has sent everything is complete', async () => {
  const { got } = follow(2)
  await until('the end', () => got.length === 3, 5_000)
  assert.deepEqual(got, [0, 1, 'complete'])
})

test('a subscription that fails is not complete', async () => {
  const { got } = follow(-1)
  await until('the error', () => got.length > 0, 5_000)
  const other = follow(1)
  await until('the end of a later one', () => other.got.includes('complete'))
  assert.deepEqual(got, ['HISTORY_GONE'])
})

test('a subscription that its subscriber ends is not complete', async () => {
  const { got, stop } = follow(0)
  await until('the start', () => released.length > 0, 5_000)
  stop()
  const other = follow(1)
  await until('the end of a later one', () => other.got.includes('complete'))
  assert.deepEqual(got, [])
})
