/** Requests that no HTTP library would send: an incomplete body, a wrong length. */
import { connect } from 'node:net'
import type { Random } from '../soak/random.ts'
import type { Sent } from './http.ts'

const patienceMs = 120

type Break = (head: string, body: string) => string

const breaks: Readonly<Record<string, Break>> = {
  'a body cut short': (head, body) => `${head}content-length: ${body.length}\r\n\r\n${body.slice(0, body.length / 2)}`,
  'a length that is too small': (head, body) => `${head}content-length: ${Math.floor(body.length / 2)}\r\n\r\n${body}`,
  'a negative length': (head, body) => `${head}content-length: -1\r\n\r\n${body}`,
  'two lengths': (head, body) => `${head}content-length: 1\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  'invalid chunks': (head, body) => `${head}transfer-encoding: chunked\r\n\r\nzz\r\n${body}\r\n0\r\n\r\n`,
  'chunks and a length': (head, body) =>
    `${head}transfer-encoding: chunked\r\ncontent-length: 3\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  'a head cut short': (head) => head.slice(0, head.length / 2),
  'two requests at once': (head, body) => `${head}content-length: ${body.length}\r\n\r\n${body}`.repeat(2),
  'invalid headers': (head, body) => `${head}: x\r\nno colon\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
}

export interface RawHeard {
  readonly how: string
  readonly text: string
}

export function sendRaw(port: number, { method, path, headers, body }: Sent, random: Random): Promise<RawHeard> {
  const how = random.pick(Object.keys(breaks))
  const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  const head = `${method} ${path} HTTP/1.1\r\n${lines.join('')}`
  const bytes = breaks[how]?.(head, String(body ?? '{}')) ?? ''
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    const timer = setTimeout(() => socket.destroy(), patienceMs)
    socket.on('data', (data: Buffer) => (text += data.toString()))
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      resolve({ how, text })
    })
  })
}

/** The violation in an answer, if there is one. */
export function rawProblem(text: string): string | undefined {
  // 505 is the HTTP layer's own answer to unsupported versions.
  for (const [, status] of text.matchAll(/^HTTP\/1\.1 (\d{3})/gm))
    if (Number(status) >= 500 && status !== '503' && status !== '505') return `status ${status}`
  return /"code":"INTERNAL/.test(text) ? 'INTERNAL' : undefined
}
