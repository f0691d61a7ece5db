/** An HTTP proxy that refuses requests over a size as nginx does: before it has read the body, with a page, and it reads on for a while. */
import { once } from 'node:events'
import { createServer, request as requestHttp } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface LimitingProxy extends AsyncDisposable {
  readonly port: number
  /** The bytes of the body of each request, as the client has announced them. */
  readonly lengths: readonly number[]
}

const page = '<html><head><title>413 Request Entity Too Large</title></head></html>'

export async function startLimitingProxy(toPort: number, mostBytes: number, refusal = page): Promise<LimitingProxy> {
  const lengths: number[] = []
  const server = createServer((request, response) => {
    const length = Number(request.headers['content-length'] ?? 0)
    lengths.push(length)
    if (length > mostBytes) {
      response.writeHead(413)
      response.end(refusal)
      // The client is still writing, and a reset would take the answer from it.
      request.resume()
      return
    }
    const { method, url, headers } = request
    const onward = requestHttp({ host: '127.0.0.1', port: toPort, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    lengths,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
