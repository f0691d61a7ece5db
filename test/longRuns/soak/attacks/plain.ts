/** Attacks with plain connections: bytes that are not HTTP, invalid HTTP requests, bodies that are too large or too slow, and silence. */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../random.ts'
import { type Attack, judgeRaw, type Target } from '../target.ts'

/** A connection from an address of its own, so that its failures are not counted together with those of others. */
export function open(target: Target, random: Random): { socket: Socket; received: () => string } {
  const port = random.chance(0.5) ? target.port : target.agentPort
  const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${random.between(10, 200)}` })
  let text = ''
  socket.on('data', (data: Buffer) => {
    if (text.length < 100_000) text += data.toString('latin1')
  })
  socket.on('error', () => {})
  return { socket, received: () => text }
}

async function until(ms: number, socket: Socket, { over }: Target): Promise<void> {
  const end = performance.now() + ms
  while (performance.now() < end && !socket.destroyed && !over.aborted) await sleep(20)
}

/** Writes the data, waits for the answer, and checks it. */
async function say(target: Target, random: Random, data: Buffer | string, ms: number): Promise<void> {
  const { socket, received } = open(target, random)
  socket.write(data)
  await until(ms, socket, target)
  socket.destroy()
  judgeRaw(received(), shown(data), target)
}

const shown = (data: Buffer | string): string => {
  const text = typeof data === 'string' ? JSON.stringify(data) : data.toString('base64')
  return text.length > 2_000 ? `${text.slice(0, 2_000)}… (${text.length} characters)` : text
}

const rawBytes: Attack = {
  name: 'random bytes',
  run: (target, random) => say(target, random, random.bytes(random.pick([1, 20, 500, 5_000])), 100),
}

const paths = [
  '/',
  '/graphql',
  '/api/graphql',
  '/api/auth/sign-in/email',
  '/api/codebases',
  '/%00',
  '/..%2f..%2f',
  '//',
]
const methods = ['GET', 'POST', 'PUT', 'OPTIONS', 'HEAD', 'TRACE', 'CONNECT', 'get', 'X'.repeat(40), '']
const lines = [
  'Host: localhost',
  'Host: evil.example',
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 99999999999999999999',
  'Content-Length: 5\r\nContent-Length: 7',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: chunked\r\nContent-Length: 4',
  'Content-Type: application/json',
  'Content-Type: multipart/form-data',
  'Expect: 100-continue',
  'Connection: close',
  'Cookie: signalbox=;signalbox="',
  'Authorization: Bearer',
  'X-API-Key: svc_',
  'Upgrade: websocket',
  'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 1',
  'X-Request-Id: \x01\x02',
  'X-Forwarded-For: ,,,',
  ': no name',
  'no colon',
  `X-Long: ${'a'.repeat(20_000)}`,
]
const bodies = [
  '',
  'hello',
  '{"query":"{ health }"}',
  '5\r\nhello\r\n0\r\n\r\n',
  'zz\r\n',
  'ffffffffffffffff\r\n',
  '{"query":',
]

const malformedHttp: Attack = {
  name: 'malformed HTTP',
  run(target, random) {
    const head = Array.from({ length: random.below(6) }, () => random.pick(lines))
    const version = random.pick(['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTX', ''])
    const end = random.pick(['\r\n', '\r\n', '\n', '\r'])
    const first = `${random.pick(methods)} ${random.pick(paths)} ${version}`
    return say(target, random, [first, ...head, '', random.pick(bodies)].join(end), 150)
  },
}

const giantBody: Attack = {
  name: 'giant body',
  async run(target, random) {
    const { socket, received } = open(target, random)
    const chunked = random.chance(0.5)
    const key = random.chance(0.5) ? `X-API-Key: ${target.credentials.apiKey}\r\n` : ''
    const length = chunked ? 'Transfer-Encoding: chunked' : 'Content-Length: 200000000'
    const head = `POST ${random.pick(paths)} HTTP/1.1\r\nHost: localhost\r\n${key}Content-Type: application/json\r\n${length}\r\n\r\n`
    socket.write(head)
    const piece = Buffer.alloc(256 * 1024, 'a')
    for (let sent = 0; sent < 40 && !socket.destroyed && !target.over.aborted; sent++) {
      if (chunked) socket.write(`${piece.length.toString(16)}\r\n`)
      const more = socket.write(piece)
      if (chunked) socket.write('\r\n')
      if (!more) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), sleep(200)])
    }
    await until(300, socket, target)
    socket.destroy()
    judgeRaw(received(), head, target)
  },
}

/** A head or a body that arrives a few bytes at a time. */
const slowBody: Attack = {
  name: 'slow body',
  async run(target, random) {
    const { socket, received } = open(target, random)
    const key = random.chance(0.5) ? `X-API-Key: ${target.credentials.apiKey}\r\n` : ''
    const head = `POST /api/graphql HTTP/1.1\r\nHost: localhost\r\n${key}Content-Length: 5000\r\n`
    socket.write(random.chance(0.5) ? head : `${head}\r\n`)
    const end = performance.now() + random.pick([500, 3_000, 20_000])
    while (performance.now() < end && !socket.destroyed && !target.over.aborted) {
      socket.write('a')
      await sleep(random.between(20, 400))
    }
    // Not all is read, so the other side gets a reset.
    if (random.chance(0.5)) socket.resetAndDestroy()
    else socket.destroy()
    judgeRaw(received(), `slow: ${head}`, target)
  },
}

const silence: Attack = {
  name: 'silence',
  async run(target, random) {
    const { socket } = open(target, random)
    if (random.chance(0.5)) socket.write('POST /api/graphql HTTP/1.1\r\nHost: local')
    await until(random.pick([10, 200, 5_000]), socket, target)
    if (random.chance(0.3)) socket.end()
    await until(random.pick([0, 500]), socket, target)
    if (random.chance(0.5)) socket.resetAndDestroy()
    else socket.destroy()
  },
}

/** Requests whose answers are not read. */
const impatience: Attack = {
  name: 'requests that are cut off',
  async run(target, random) {
    const { socket, received } = open(target, random)
    const body = JSON.stringify({ query: '{ agents { id } runs(first: 100) { nodes { id } } }' })
    const request = `POST /api/graphql HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${target.credentials.apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    // Sometimes several at once on one connection.
    socket.write(request.repeat(random.pick([1, 1, 5, 30])))
    await sleep(random.below(20))
    socket.resetAndDestroy()
    judgeRaw(received(), request, target)
  },
}

export const plainAttacks: readonly Attack[] = [rawBytes, malformedHttp, giantBody, slowBody, silence, impatience]
