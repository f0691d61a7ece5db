/**
 * HTTP load without a client library: some persistent connections, each with one request in flight. Of an answer only the length
 * is read, because the load must cost less than the measured server.
 */
import { connect, type Socket } from 'node:net'
import type { Target } from './loadProcess.ts'

export interface HttpTarget extends Target {
  readonly type: 'http'
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type HttpRequest = Omit<HttpTarget, keyof Target>

const headEnd = Buffer.from('\r\n\r\n')
const lastChunk = Buffer.from('0\r\n\r\n')

/** One connection. `ask` resolves when the whole answer has arrived, and rejects unless its status is 200. */
export class HttpConnection {
  readonly #socket: Socket
  readonly #request: Buffer
  #settle: PromiseWithResolvers<void> | undefined
  #chunks: Buffer[] = []
  #size = 0
  /** The length of the answer in flight, head and body, or that it is chunked; undefined until its head has arrived. */
  #wanted: number | 'chunks' | undefined

  constructor(target: HttpRequest) {
    const head = Object.entries(target.headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const length = Buffer.byteLength(target.body)
    this.#request = Buffer.from(
      `POST ${target.path} HTTP/1.1\r\nhost: localhost:${target.port}\r\n${head.join('')}content-length: ${length}\r\n\r\n${target.body}`,
    )
    this.#socket = connect({ host: '127.0.0.1', port: target.port, noDelay: true })
    this.#socket.on('data', (chunk) => this.#receive(chunk))
    this.#socket.on('error', (error) => this.#settle?.reject(error))
    this.#socket.on('close', () => this.#settle?.reject(new Error('the connection ended')))
  }

  ask(): Promise<void> {
    this.#settle = Promise.withResolvers<void>()
    this.#socket.write(this.#request)
    return this.#settle.promise
  }

  close(): void {
    this.#settle = undefined
    this.#socket.destroy()
  }

  #receive(chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#wanted === undefined) {
      this.#chunks.push(chunk)
      this.#readHead(this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks))
    }
    if (this.#wanted === undefined || !this.#isWhole(this.#wanted, chunk)) return
    this.#chunks = []
    this.#size = 0
    this.#wanted = undefined
    this.#settle?.resolve()
  }

  #isWhole(wanted: number | 'chunks', latest: Buffer): boolean {
    return wanted === 'chunks' ? latest.subarray(-lastChunk.length).equals(lastChunk) : this.#size >= wanted
  }

  #readHead(bytes: Buffer): void {
    const end = bytes.indexOf(headEnd)
    if (end < 0) return
    const head = bytes.toString('latin1', 0, end)
    const length = /content-length: (\d+)/i.exec(head)?.[1]
    const inChunks = /transfer-encoding: chunked/i.test(head)
    if (!head.startsWith('HTTP/1.1 200') || (length === undefined && !inChunks))
      this.#settle?.reject(new Error(`unexpected answer: ${bytes.toString('latin1', 0, 2_000)}`))
    this.#wanted = inChunks ? 'chunks' : end + 4 + Number(length)
  }
}

/** Sends this many requests before measuring, so that all code is compiled by then. */
export async function warmUp(to: HttpRequest & Pick<HttpTarget, 'inFlight'>, requests: number): Promise<void> {
  const each = Math.ceil(requests / to.inFlight)
  const one = async (): Promise<void> => {
    const connection = new HttpConnection(to)
    for (let n = 0; n < each; n++) await connection.ask()
    connection.close()
  }
  await Promise.all(Array.from({ length: to.inFlight }, one))
}
