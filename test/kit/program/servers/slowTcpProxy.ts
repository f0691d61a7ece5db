/** A TCP proxy that passes on what the server sends at a limited rate, as a slow link does. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'

export interface SlowTcpProxy {
  readonly port: number
  /** Of each connection, without a bound until it is set. */
  bytesPerSecond: number
  stop(): Promise<void>
}

/** @param toPort read for each connection */
export async function startSlowTcpProxy(toPort: () => number): Promise<SlowTcpProxy> {
  let rate = Number.POSITIVE_INFINITY
  const sockets = new Set<Socket>()
  const slow = () =>
    new Transform({
      async transform(data: Buffer, _encoding, done) {
        await sleep((data.length / rate) * 1_000)
        done(null, data)
      },
    })
  const proxy = createServer((client) => {
    const server = connect(toPort(), '127.0.0.1')
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    }
    // If one side ends in the middle, the other one is closed.
    Promise.all([pipeline(client, server), pipeline(server, slow(), client)]).catch(() => {
      client.destroy()
      server.destroy()
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    port: (proxy.address() as AddressInfo).port,
    get bytesPerSecond() {
      return rate
    },
    set bytesPerSecond(next) {
      rate = next
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
