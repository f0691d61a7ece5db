/** A body that is streamed: it waits for a slow reader without losing a byte, and is bounded in size and time. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../../spec/core/failure.ts'
import { sendEndlessBody } from '../../kit/program/endlessBody.ts'
import { raw } from '../../kit/program/raw.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

const MiB = 1024 * 1024
const received: Buffer[] = []
let world: TestGateway
let held = 0

before(async () => {
  world = await startTestGateway({
    options: {
      routes: [
        {
          method: 'POST',
          path: '/receive',
          access: 'public',
          handle: async ({ request }) => {
            const isFull = request.headers.has('x-full')
            let held = 0
            const sink = {
              pauseAbove: MiB,
              refuseAbove: Number(request.headers.get('x-refuse-above') ?? Number.POSITIVE_INFINITY),
              take: (chunk: Uint8Array) => {
                received.push(Buffer.from(chunk))
                held += chunk.length
                if (isFull)
                  setTimeout(() => {
                    held = 0
                    request.body.resume()
                  }, 20)
                return isFull ? held : 0
              },
            }
            const least = { bytes: Number(request.headers.get('x-least')), periodMs: 250 }
            await request.body.receive(sink, 32 * MiB, least)
            return { status: 200, body: 'all' }
          },
        },
        {
          method: 'POST',
          path: '/stream',
          access: 'public',
          handle: async ({ request }) => {
            const hash = createHash('sha256')
            let size = 0
            const wait = Number(request.headers.get('x-wait') ?? 0)
            for await (const chunk of request.body.stream(
              Number(request.headers.get('x-limit') ?? 32 * MiB),
              Number(request.headers.get('x-within') ?? 60_000),
            )) {
              if (size === 0) await sleep(wait)
              held = Math.max(held, request.body.size - size)
              hash.update(chunk)
              size += chunk.length
              if (request.headers.has('x-refuse')) throw new Failure('CONFLICT', 'No more.')
            }
            return { status: 200, body: `${size} ${hash.digest('hex')}` }
          },
        },
      ],
    },
  })
})
after(() => world?.stop())

const post = (body: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  fetch(`${world.url}/stream`, { method: 'POST', body, headers })

const shown = (bytes: Uint8Array) => `${bytes.length} ${createHash('sha256').update(bytes).digest('hex')}`

for (const size of [0, 1, 16 * 1024, MiB, 32 * MiB])
  test(`${size} bytes arrive in order`, async () => {
    const bytes = randomBytes(size)
    assert.equal(await (await post(bytes)).text(), shown(bytes))
  })

test('a reader that waits for a long time gets all bytes, and only a bounded part is received before it reads', async () => {
  const size = 112 * MiB
  const bytes = randomBytes(size)
  held = 0
  assert.equal(await (await post(bytes, { 'x-wait': '14000', 'x-limit': String(size) })).text(), shown(bytes))
  // The service holds 16 MiB, and the kernel of a busy machine up to 32 MiB for each of two reads.
  assert.ok(held < 96 * MiB, `${held} bytes were received ahead`)
})

test('a sink that holds more than its bound, although the connection is paused, ends the body with 503', async () => {
  received.length = 0
  const answer = await fetch(`${world.url}/receive`, {
    method: 'POST',
    body: randomBytes(24 * MiB),
    headers: { 'x-full': 'yes', 'x-least': '1', 'x-refuse-above': String(2 * MiB) },
  })
  assert.equal(answer.status, 503)
  assert.match(await answer.text(), /Continue with the bytes that are missing/)
  assert.ok(received.length > 0)
})

test('a body over the limit gets 413, with a length or in chunks', async () => {
  assert.equal((await post(new Uint8Array(32 * MiB + 1))).status, 413)
  const { body } = new Response(new Uint8Array(32 * MiB + 1))
  const inChunks = { method: 'POST', body, duplex: 'half' } as RequestInit
  assert.equal((await fetch(`${world.url}/stream`, inChunks)).status, 413)
})

test('an endless body is not received beyond its limit and a bounded number of discarded bytes', async () => {
  const { status, sent } = await sendEndlessBody(world.gateway.port, '/stream', {}, 400 * MiB)
  assert.ok(status === undefined || status === 413, String(status))
  // The limit, 64 MiB that are discarded, and what two kernel buffers of a busy machine hold.
  assert.ok(sent < 200 * MiB, `${sent} bytes were received`)
})

test('a body over the limit that stops in the middle gets 413 within 5 s', async () => {
  const length = 32 * MiB + 1
  const head = ['POST /stream HTTP/1.1', 'host: localhost', `content-length: ${length}`, '', 'a'.repeat(MiB)].join(
    '\r\n',
  )
  const began = performance.now()
  assert.equal((await raw(world.gateway.port, [head])).status, 413)
  assert.ok(performance.now() - began < 5_000)
})

test('a body that does not arrive in time gets 408', async () => {
  const head = ['POST /stream HTTP/1.1', 'host: localhost', 'content-length: 10', 'x-within: 200', '', 'ab'].join(
    '\r\n',
  )
  assert.equal((await raw(world.gateway.port, [head])).status, 408)
})

const receive = (length: number, headers: readonly string[], ...parts: readonly string[]) =>
  raw(world.gateway.port, [
    ['POST /receive HTTP/1.1', 'host: localhost', `content-length: ${length}`, ...headers, '', ''].join('\r\n'),
    ...parts,
  ])

test('a body that is slower than its minimum rate gets 408, and the bytes before are kept', async () => {
  received.length = 0
  assert.equal((await receive(10, ['x-least: 4'], 'ab')).status, 408)
  assert.equal(Buffer.concat(received).toString(), 'ab')
})

test('a body at its minimum rate may take longer than a period', async () => {
  received.length = 0
  const slow = await new Promise<string>((resolve) => {
    const socket = connect(world.gateway.port, '127.0.0.1')
    let left = 10
    socket.write('POST /receive HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\nx-least: 1\r\n\r\n')
    const ticks = setInterval(() => {
      socket.write('a')
      left--
      if (left === 0) clearInterval(ticks)
    }, 100)
    socket.on('data', (data) => {
      resolve(data.toString())
      socket.destroy()
    })
  })
  assert.match(slow, /^HTTP\/1\.1 200/)
  assert.equal(Buffer.concat(received).length, 10)
})

test('a full sink gets the rest when it has space again', async () => {
  received.length = 0
  const bytes = randomBytes(32 * MiB)
  const sent = fetch(`${world.url}/receive`, {
    method: 'POST',
    body: bytes,
    headers: { 'x-least': '1', 'x-full': 'yes' },
  })
  assert.equal((await sent).status, 200)
  assert.ok(Buffer.concat(received).equals(bytes))
})

test('after a refusal in the middle of a body, the connection is used again', async () => {
  for (let n = 0; n < 3; n++) {
    const response = await post(randomBytes(4 * MiB), { 'x-refuse': 'yes' })
    assert.equal(response.status, 409)
    await response.text()
    assert.equal(await (await post(randomBytes(3))).text().then((text) => text.split(' ')[0]), '3')
  }
})
