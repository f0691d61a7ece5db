/** A TCP proxy that cuts its connections after a number of bytes, by a reset or by silence. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type CutKind = 'reset' | 'silence'

export interface CuttingTcpProxy extends AsyncDisposable {
  readonly port: number
  /** Bytes of the clients that were passed on, of all connections. */
  readonly passed: number
  /** The number of cuts so far. */
  readonly cuts: number
  /** The next connection that passes so many bytes of its client is cut there. */
  cutAfter(bytes: number, kind: CutKind): void
  /** Calls back when the next connection has passed so many bytes of its client. The connection continues. */
  callAfter(bytes: number, callback: () => void): void
  /** Cuts all open connections now. */
  cutNow(kind: CutKind): void
}

/** @param toPort read for each connection */
export async function startCuttingTcpProxy(toPort: number | (() => number)): Promise<CuttingTcpProxy> {
  let next: { readonly bytes: number; readonly act: CutKind | (() => void) } | undefined
  let passed = 0
  let cuts = 0
  const pairs = new Set<{ readonly client: Socket; readonly server: Socket; isSilent: boolean }>()

  const cut = (pair: { readonly client: Socket; readonly server: Socket; isSilent: boolean }, kind: CutKind) => {
    cuts++
    if (kind === 'silence') {
      pair.isSilent = true
      pair.client.pause()
      pair.server.pause()
      return
    }
    pair.client.resetAndDestroy()
    pair.server.resetAndDestroy()
  }

  const listener = createServer((client) => {
    const server = connect(typeof toPort === 'number' ? toPort : toPort(), '127.0.0.1')
    const pair = { client, server, isSilent: false }
    pairs.add(pair)
    let ofClient = 0
    const end = () => {
      pairs.delete(pair)
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) {
      socket.on('error', () => {})
      socket.on('close', () => {
        // Behind a dead network, one side does not learn that the other has gone.
        if (!pair.isSilent) end()
      })
    }
    client.on('data', (data) => {
      const here = next
      const isLast = here !== undefined && ofClient + data.length >= here.bytes
      const part = isLast ? data.subarray(0, Math.max(0, here.bytes - ofClient)) : data
      ofClient += part.length
      passed += part.length
      if (isLast) {
        next = undefined
        const { act } = here
        if (typeof act === 'string') {
          server.write(part, () => cut(pair, act))
          client.pause()
          return
        }
        server.write(data)
        passed += data.length - part.length
        act()
        return
      }
      if (!server.write(part)) {
        client.pause()
        server.once('drain', () => {
          if (!pair.isSilent) client.resume()
        })
      }
    })
    server.on('data', (data) => {
      if (!client.write(data)) {
        server.pause()
        client.once('drain', () => server.resume())
      }
    })
    client.on('end', () => server.end())
    server.on('end', () => client.end())
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    port: (listener.address() as AddressInfo).port,
    get passed() {
      return passed
    },
    get cuts() {
      return cuts
    },
    cutAfter: (bytes, kind) => {
      next = { bytes, act: kind }
    },
    callAfter: (bytes, callback) => {
      next = { bytes, act: callback }
    },
    cutNow: (kind) => {
      for (const pair of [...pairs]) cut(pair, kind)
    },
    async [Symbol.asyncDispose]() {
      listener.close()
      for (const { client, server } of pairs) {
        client.destroy()
        server.destroy()
      }
    },
  }
}
