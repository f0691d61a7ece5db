/** Real servers on this machine, and a client for which the test defines the addresses of host names. */
import { once } from 'node:events'
import http, { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import * as v from 'valibot'
import type { Address } from '../../../../actors/effects/outbound/checkedAddresses.ts'
import { createOutbound } from '../../../../actors/effects/outbound/outbound.ts'
import type { Outbound } from '../../../../actors/effects/outbound/port.ts'
import { OutboundFailed } from '../../../../spec/core/outboundFailed.ts'
import { outboundAllow } from '../../../../spec/settings/schemas.ts'
import { systemClock } from '../../../kit/runtime/systemClock.ts'
import { cert, key } from './certificate.ts'

export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** The name that TLS was asked for. */
  readonly servername: string | undefined
}

export interface Server {
  readonly port: number
  readonly seen: Seen[]
}

export type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

export const says =
  (text: string): Answer =>
  (_request, response) =>
    response.end(text)

/** Each listed path redirects with a status. All other paths answer with the request. */
export const redirects =
  (to: Readonly<Record<string, readonly [status: number, location: string]>>): Answer =>
  ({ url = '' }, response) => {
    const [status, location] = to[url] ?? []
    if (status === undefined) response.end(`here is ${url}`)
    else response.writeHead(status, { location }).end('elsewhere')
  }

/** Writes as long as it is let; `closed` when its connection is. */
export function endless(head: { readonly status: number; readonly location?: string } = { status: 200 }): {
  readonly answer: Answer
  readonly written: () => number
  readonly closed: Promise<unknown>
} {
  const closed = Promise.withResolvers<void>()
  let written = 0
  const write = (response: ServerResponse): void => {
    while (!response.destroyed) {
      written += 65_536
      if (!response.write(Buffer.alloc(65_536, 'x'))) {
        response.once('drain', () => write(response))
        return
      }
    }
  }
  const answer: Answer = (_request, response) => {
    response.once('close', () => closed.resolve())
    response.writeHead(head.status, head.location === undefined ? {} : { location: head.location })
    write(response)
  }
  return { answer, written: () => written, closed: closed.promise }
}

export async function serve(
  t: TestContext,
  answer: Answer,
  { host = '127.0.0.1', secure = false }: { readonly host?: string; readonly secure?: boolean } = {},
): Promise<Server> {
  const seen: Seen[] = []
  const listener: RequestListener = async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request.on('error', () => {})) parts.push(part as Buffer)
    const body = Buffer.concat(parts).toString()
    const servername = 'servername' in request.socket ? String(request.socket.servername) : undefined
    seen.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body, servername })
    answer(request, response, body)
  }
  const server = secure ? https.createServer({ cert, key }, listener) : http.createServer(listener)
  server.listen(0, host)
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { port: (server.address() as AddressInfo).port, seen }
}

export interface Names {
  readonly [host: string]:
    | string
    | readonly string[]
    | ((look: number) => readonly string[] | Promise<readonly string[]>)
}

const family = (address: string): Address => ({ address, family: address.includes(':') ? 6 : 4 })

/** `looked` are the names that were looked up, `timers` those that run. `here.example` and `there.example` are this machine, and may be reached; more names are given by the test. */
export function client(
  names: Names = {},
  allow: string | undefined = 'here.example,there.example',
): Outbound & { readonly looked: string[]; readonly timers: Set<unknown> } {
  const looked: string[] = []
  const timers = new Set<unknown>()
  const known: Names = { 'here.example': '127.0.0.1', 'there.example': '127.0.0.1', ...names }
  const outbound = createOutbound({
    allow: allow === undefined ? undefined : v.parse(outboundAllow, allow),
    clock: {
      now: systemClock.now,
      monotonic: systemClock.monotonic,
      after(ms, callback) {
        const cancel = systemClock.after(ms, callback)
        timers.add(cancel)
        return () => {
          cancel()
          timers.delete(cancel)
        }
      },
    },
    resolve: async (host) => {
      looked.push(host)
      const found = known[host]
      if (found === undefined) throw new Error(`getaddrinfo ENOTFOUND ${host}`)
      const count = looked.filter((one) => one === host).length
      return [typeof found === 'function' ? await found(count) : found].flat().map(family)
    },
  })
  return { ...outbound, looked, timers }
}

/** The problem and the message of the failure. */
export async function failure(work: Promise<unknown>): Promise<{ problem: string; message: string }> {
  try {
    await work
  } catch (error) {
    if (error instanceof OutboundFailed) return { problem: error.problem, message: error.message }
    throw error
  }
  throw new Error('the request was answered, and a failure was expected')
}

export async function problem(work: Promise<unknown>): Promise<string> {
  return (await failure(work)).problem
}
