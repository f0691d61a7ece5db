/**
 * A sender whose body has no end. It is a plain connection: `fetch` of Node.js may go on reading a stream without end after the server has closed
 * the connection, until the memory of the machine is full.
 */
import { connect } from 'node:net'

export interface EndlessBody {
  /** The status of the answer. Undefined if the connection was closed before the answer was read. */
  readonly status: number | undefined
  /** Bytes of the body that this side passed to its kernel. */
  readonly sent: number
}

const piece = Buffer.alloc(1024 * 1024, ' ')

/** Sends as fast as the server reads, until the server answers, closes the connection, or has received `most` bytes. */
export function sendEndlessBody(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
  most: number,
): Promise<EndlessBody> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let sent = 0
    let status: number | undefined
    const end = (): void => {
      socket.destroy()
      resolve({ status, sent })
    }
    const send = (): void => {
      if (sent >= most) end()
      if (socket.destroyed) return
      socket.write(`${piece.length.toString(16)}\r\n`)
      socket.write(piece)
      socket.write('\r\n', () => {
        sent += piece.length
        send()
      })
    }
    socket.on('data', (data) => {
      status = Number(/^HTTP\/1\.1 (\d+)/.exec(data.toString('latin1'))?.[1])
      end()
    })
    socket.on('close', end)
    socket.on('error', end)
    const named = Object.entries({ host: 'localhost', 'transfer-encoding': 'chunked', ...headers })
    const lines = [`POST ${path} HTTP/1.1`, ...named.map(([name, value]) => `${name}: ${value}`)]
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    send()
  })
}
