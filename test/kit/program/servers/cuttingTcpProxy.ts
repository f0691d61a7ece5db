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
  /** Cuts all open connections now. */
  cutNow(kind: CutKind): void
}

export async function startCuttingTcpProxy(toPort: number): Promise<CuttingTcpProxy> {
  let next: { readonly bytes: number; readonly kind: CutKind } | undefined
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
    const server = connect(toPort, '127.0.0.1')
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
        server.write(part, () => cut(pair, here.kind))
        client.pause()
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
      next = { bytes, kind }
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
