/** A proxy that closes its first connections after some bytes of the client, as one does that restarts or has a time limit. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface CuttingProxy {
  readonly url: string
  /** Connections that were cut. */
  cuts: number
  stop(): Promise<void>
}

/** @param target the URL of the server @param cuts the connections that are cut @param bytes of a connection that reach the server */
export async function startCuttingProxy(target: string, cuts: number, bytes: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(target).port), '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        client.destroy()
        upstream.destroy()
      })
    }
    upstream.pipe(client)
    let left = bytes
    client.on('data', (piece: Buffer) => {
      upstream.write(proxy.cuts < cuts ? piece.subarray(0, left) : piece)
      left -= piece.length
      if (left > 0 || proxy.cuts >= cuts) return
      proxy.cuts++
      client.destroy()
      upstream.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: CuttingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: 0,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
  return proxy
}
