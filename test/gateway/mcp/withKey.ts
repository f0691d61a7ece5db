/** Forwards requests unchanged with an API key, for clients that cannot be configured with one. */
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface KeyedDoor {
  /** `http://localhost:port`. */
  readonly url: string
  close(): Promise<void>
}

export async function withKey(target: string, key: string): Promise<KeyedDoor> {
  const { hostname, port } = new URL(target)
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming
    const passed = send({ hostname, port, method, path, headers: { ...headers, 'x-api-key': key } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    outgoing.on('close', () => passed.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
