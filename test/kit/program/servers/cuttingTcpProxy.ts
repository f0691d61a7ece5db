/** A TCP proxy that cuts its connections after a number of bytes, by a reset or by silence. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type CutKind = 'reset' | 'silence'

export interface CuttingTcpProxy extends AsyncDisposable {
  readonly port: number
  /** The counted bytes that were passed on, of all connections. */
  readonly passed: number
  /** The number of cuts so far. */
  readonly cuts: number
  /** The next connection that passes so many counted bytes is cut there. This replaces what was planned before. */
  cutAfter(bytes: number, kind: CutKind, onCut?: () => void): void
  /** Calls back when the next connection has passed so many counted bytes. The connection continues. This replaces what was planned before. */
  callAfter(bytes: number, callback: () => void): void
  /** Cuts all open connections now. */
  cutNow(kind: CutKind): void
}

interface Pair {
  readonly client: Socket
  readonly server: Socket
  isSilent: boolean
}

interface Planned {
  readonly bytes: number
  /** Undefined: the connection continues. */
  readonly cut: CutKind | undefined
  callBack(): void
}

export interface CuttingTcpProxyOptions {
  /** Whose bytes are counted: those that the clients send, which is usual, or those of the server. */
  readonly counts?: 'client' | 'server'
}

/** @param toPort read for each connection */
export async function startCuttingTcpProxy(
  toPort: number | (() => number),
  { counts = 'client' }: CuttingTcpProxyOptions = {},
): Promise<CuttingTcpProxy> {
  let next: Planned | undefined
  let passed = 0
  let cuts = 0
  const pairs = new Set<Pair>()

  const cut = (pair: Pair, kind: CutKind) => {
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

  const passOn = (pair: Pair, from: Socket, to: Socket) => (data: Buffer) => {
    if (to.write(data)) return
    from.pause()
    to.once('drain', () => {
      if (!pair.isSilent) from.resume()
    })
  }

  /** Passes bytes on, and does what is planned at its place. */
  const passCounted = (pair: Pair, from: Socket, to: Socket) => {
    const pass = passOn(pair, from, to)
    let ofConnection = 0
    return (data: Buffer) => {
      const here = next
      const isReached = here !== undefined && ofConnection + data.length >= here.bytes
      const part = isReached && here.cut ? data.subarray(0, Math.max(0, here.bytes - ofConnection)) : data
      ofConnection += part.length
      passed += part.length
      if (!isReached) {
        pass(part)
        return
      }
      next = undefined
      const { cut: kind, callBack } = here
      if (kind === undefined) {
        pass(part)
        callBack()
        return
      }
      from.pause()
      to.write(part, () => {
        cut(pair, kind)
        callBack()
      })
    }
  }

  const listener = createServer((client) => {
    const server = connect(typeof toPort === 'number' ? toPort : toPort(), '127.0.0.1')
    const pair: Pair = { client, server, isSilent: false }
    pairs.add(pair)
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
    client.on('data', (counts === 'client' ? passCounted : passOn)(pair, client, server))
    server.on('data', (counts === 'server' ? passCounted : passOn)(pair, server, client))
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
    cutAfter: (bytes, cut, callBack = () => {}) => {
      next = { bytes, cut, callBack }
    },
    callAfter: (bytes, callBack) => {
      next = { bytes, cut: undefined, callBack }
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
