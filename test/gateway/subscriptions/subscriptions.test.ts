/** Subscriptions to logs, transitions and rows: stored items first, then live ones, without a gap or a repeat. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'
import { asked, connect, subscribe } from '../../kit/program/socket.ts'
import { type GraphqlBody, startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'
import { made } from '../../kit/runtime/testOperations.ts'

type GraphqlErrors = NonNullable<GraphqlBody['errors']>

let world: TestGateway
let params: Record<string, string>

before(async () => {
  world = await startTestGateway({ settings: { limits: { connectionInitMs: 300, subscriptionsPerSocket: 100 } } })
  params = { authorization: `Bearer ${(await world.signIn()).token}` }
})
after(() => world.stop())

interface Entry {
  sequence: number
  dataBase64: string
}
const log =
  'subscription L($name: String!, $after: Int) { logAdded(name: $name, afterSequence: $after) { sequence dataBase64 } }'
const sequences = (items: readonly Entry[]) => items.map(({ sequence }) => sequence)
const upTo = (count: number, from = 0) => Array.from({ length: count }, (_, n) => n + from)

describe('a log', () => {
  test('is sent completely from its beginning while it is being written, and the subscription ends with the log', async () => {
    const client = connect(world.wsUrl, params)
    await world.append('whole', 0, upTo(1_200).map(String))
    const following = subscribe<Entry>(client, log, { name: 'whole' })
    for (let next = 1_200; next < 2_000; next += 10) {
      await world.append('whole', next, upTo(10, next).map(String))
      if (next % 200 === 0) await sleep(1)
    }
    await world.append('whole', 2_000, ['end'], true)
    await following.done
    assert.deepEqual(sequences(following.items), upTo(2_001))
    assert.equal(Buffer.from(following.items[1_234]?.dataBase64 ?? '', 'base64').toString(), '1234')
    await client.dispose()
  })

  test('resumes after a sequence, wherever the connection broke', async () => {
    await world.append('broken', 0, upTo(50).map(String))
    const seen: number[] = []
    for (const next of [50, 60, 70, 80]) {
      const client = connect(world.wsUrl, params)
      const following = subscribe<Entry>(client, log, { name: 'broken', after: seen.at(-1) ?? -1 })
      await world.append('broken', next, upTo(10, next).map(String))
      const wanted = seen.length === 0 ? 60 : 10
      seen.push(...sequences((await following.reached(wanted)).slice(0, wanted)))
      client.terminate()
    }
    assert.deepEqual(seen, upTo(90))
  })

  test('is read from storage after a hint without entries from another process', async () => {
    const client = connect(world.wsUrl, params)
    const following = subscribe<Entry>(client, log, { name: 'hinted' })
    await sleep(30)
    for (const sequence of upTo(5)) {
      const entries = [{ kind: 'STDOUT', data: Buffer.from('x') }]
      await world.storage.streams.append({ stream: 'hinted', sequence, entries, at: 1 })
    }
    world.storage.feed.publishStream({ stream: 'hinted', ended: false })
    assert.deepEqual(sequences(await following.reached(5)), upTo(5))
    // Told out of order, and twice.
    const told = upTo(3, 5).map((sequence) => ({ sequence, kind: 'STDOUT', at: 1, data: Buffer.from('x') }))
    await world.storage.streams.append({ stream: 'hinted', sequence: 5, entries: told, at: 1 })
    for (const entry of [told[2], told[0], told[1], told[1]])
      if (entry) world.storage.feed.publishStream({ stream: 'hinted', entries: [entry], ended: false })
    await following.reached(8)
    await sleep(30)
    assert.deepEqual(sequences(following.items), upTo(8))
    await client.dispose()
  })

  test('costs one execution for each entry, however many followers have the same document', async () => {
    const client = connect(world.wsUrl, params)
    const all = upTo(50).map(() => subscribe<Entry>(client, log, { name: 'shared' }))
    await sleep(100)
    made.payloads = 0
    await world.append('shared', 0, ['one', 'two'])
    for (const following of all) assert.deepEqual(sequences(await following.reached(2)), [0, 1])
    assert.equal(made.payloads, 2)
    await client.dispose()
  })
})

describe('an actor', () => {
  const rename =
    'mutation R($id: ID!, $title: String!) { renameThing(input: { thingId: $id, title: $title }) { thing { id } } }'

  test('resumes its transitions after a sequence', async () => {
    const id = world.newId('plan')
    await world.ask({ kind: 'plan', id }, { type: 'create' }, { title: 'stepped', parentId: null })
    const client = connect(world.wsUrl, params)
    for (const title of ['a', 'b']) await asked(client, rename, { id, title })
    const steps =
      'subscription S($id: ID!, $after: Int) { thingTransitioned(thingId: $id, afterSequence: $after) { sequence event } }'
    const whole = subscribe<{ sequence: number; event: string }>(client, steps, { id, after: 0 })
    await whole.reached(3)
    await asked(client, rename, { id, title: 'c' })
    await whole.reached(4)
    assert.deepEqual(
      whole.items.map(({ event }) => event),
      ['create', 'rename', 'rename', 'rename'],
    )
    const [, second] = whole.items
    const rest = subscribe<{ sequence: number }>(client, steps, { id, after: second?.sequence })
    await rest.reached(2)
    assert.deepEqual(
      rest.items.map(({ sequence }) => sequence),
      whole.items.slice(2).map(({ sequence }) => sequence),
    )
    await client.dispose()
  })

  test('sends its row first, then each change once', async () => {
    const id = world.newId('plan')
    await world.ask({ kind: 'plan', id }, { type: 'create' }, { title: 'row', parentId: null })
    const client = connect(world.wsUrl, params)
    const rows = subscribe<{ title: string }>(
      client,
      'subscription S($id: ID!) { thingChanged(thingId: $id) { title } }',
      { id },
    )
    for (const title of ['x', 'y', 'z']) await asked(client, rename, { id, title })
    await rows.reached(2)
    await sleep(50)
    const titles = rows.items.map(({ title }) => title)
    assert.equal(titles.at(-1), 'z')
    assert.equal(new Set(titles).size, titles.length)
    await client.dispose()
  })
})

describe('the protocol', () => {
  const open = async (protocols: string[] = ['graphql-transport-ws']) => {
    const socket = new WebSocket(world.wsUrl, protocols)
    const closed = new Promise<number>((resolve) => socket.on('close', resolve))
    await new Promise((resolve) => socket.on('open', resolve))
    return { socket, closed, say: (message: unknown) => socket.send(JSON.stringify(message)) }
  }
  const init = { type: 'connection_init', payload: {} as Record<string, string> }

  test('each violation has its own close code', async () => {
    init.payload = params
    const breaches: Record<number, (say: (message: unknown) => void, socket: WebSocket) => void> = {
      4400: (say) => say({ type: 'unheard of' }),
      4401: (say) => say({ type: 'subscribe', id: '1', payload: { query: '{ health }' } }),
      4408: () => {},
      4429: (say) => {
        say(init)
        say(init)
      },
      1009: (_say, socket) => socket.send('x'.repeat(1024 * 1024 + 1)),
    }
    for (const [code, breach] of Object.entries(breaches)) {
      const { socket, closed, say } = await open()
      breach(say, socket)
      assert.equal(await closed, Number(code))
    }
    const { closed } = await open(['soap'])
    assert.equal(await closed, 4406)
  })

  test('an ID of an operation that is in use closes the socket with 4409', async () => {
    const { socket, closed, say } = await open()
    say(init)
    await new Promise((resolve) => socket.once('message', resolve))
    const subscribe = { type: 'subscribe', id: 'same', payload: { query: log, variables: { name: 'none' } } }
    say(subscribe)
    say(subscribe)
    assert.equal(await closed, 4409)
  })

  test('a ping is answered with a pong', async () => {
    const { socket, say } = await open()
    say({ type: 'ping', payload: { n: 1 } })
    const answer = await new Promise<string>((resolve) => socket.once('message', (data) => resolve(String(data))))
    assert.deepEqual(JSON.parse(answer), { type: 'pong', payload: { n: 1 } })
    socket.terminate()
  })

  test('the 101st subscription of a socket is refused, and the others continue', async () => {
    const client = connect(world.wsUrl, params)
    const all = upTo(101).map(() => subscribe<Entry>(client, log, { name: 'hundred' }))
    const refused = await Promise.race(all.map(({ done }) => done.then(() => 'done').catch((error) => error.errors)))
    assert.equal(refused[0].extensions.code, 'RATE_LIMITED')
    await world.append('hundred', 0, ['x'])
    await all[0]?.reached(1)
    await client.dispose()
  })

  test('queries and refusals are sent over a socket too', async () => {
    const client = connect(world.wsUrl, params)
    assert.deepEqual(await asked(client, '{ health }'), { data: { health: 'ok' } })
    const refused = (await asked(client, '{ nothing }').catch((errors) => errors)) as GraphqlErrors
    assert.equal(refused[0]?.extensions.code, 'GRAPHQL_VALIDATION_FAILED')
    await client.dispose()
  })

  test('a message that an agent leaves for the end of its socket is sent when the socket ends', async () => {
    const { token } = await world.agent()
    const id = world.newId('plan')
    await world.ask({ kind: 'plan', id }, { type: 'create' }, { title: 'watched', parentId: null })
    const client = connect(world.agentWsUrl, { authorization: `Bearer ${token}` })
    await asked(client, 'mutation H($id: ID!) { agentHello(input: { thingId: $id }) { agent } }', { id })
    client.terminate()
    await sleep(100)
    assert.equal((await world.storage.views.find(id))?.context.title, 'left behind')
  })
})
