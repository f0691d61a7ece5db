/** Streams of server-sent events, read by a stock client: the `eventsource` package. */

import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { EventSource } from 'eventsource'

export interface ReadEvent {
  readonly type: string
  readonly id: string
  readonly data: unknown
}

export interface EventReader {
  readonly events: readonly ReadEvent[]
  /** The HTTP statuses and other reasons for which a connection was not opened or was lost. */
  readonly problems: readonly (number | string)[]
  /** Whether it has given up. */
  hasClosed(): boolean
  close(): void
}

/** The data of all items. */
export const messagesOf = <T>({ events }: EventReader): readonly T[] =>
  events.filter(({ type }) => type === 'message').map(({ data }) => data as T)

const open = new Set<EventSource>()

/** Closes all readers. One that stays open connects again for ever. */
export function closeReaders(): void {
  for (const source of open) source.close()
  open.clear()
}

export function readEvents(url: string, headers: Readonly<Record<string, string>> = {}): EventReader {
  const events: ReadEvent[] = []
  const problems: (number | string)[] = []
  const source = new EventSource(url, {
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...headers } }),
  })
  open.add(source)
  const read = (event: MessageEvent) =>
    events.push({ type: event.type, id: event.lastEventId, data: JSON.parse(String(event.data)) })
  for (const type of ['endpoint', 'message', 'end']) source.addEventListener(type, read)
  // The server's last event has the same name as the client's own report of a problem.
  source.addEventListener('error', (event) => {
    if ('data' in event) read(event as unknown as MessageEvent)
    else problems.push(event.code ?? event.message ?? 'lost')
  })
  return {
    events,
    problems,
    hasClosed: () => source.readyState === source.CLOSED,
    close: () => source.close(),
  }
}

/** A proxy that passes bytes on. `reset` ends all its connections at once. */
export async function resettingProxy(port: number) {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.pipe(upstream)
    upstream.pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reset(): void {
      // A reset while a socket ends or connects would leave a request open, and Node would not exit: it waits for the request in a loop.
      for (const socket of sockets)
        if (socket.connecting || socket.writableEnded) socket.destroy()
        else socket.resetAndDestroy()
    },
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
