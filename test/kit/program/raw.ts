/** A plain TCP connection that sends exactly the bytes of a test. */
import { connect } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly head: string
  readonly body: string
}

const isLastChunk = (text: string): boolean =>
  /\r\ntransfer-encoding: chunked\r\n/i.test(text) && text.endsWith('\r\n0\r\n\r\n')

/** Writes the parts, each after its pause, and reads until the connection ends or a whole answer is there. */
export function raw(
  port: number,
  parts: readonly (string | Buffer | { readonly afterMs: number; readonly text: string })[],
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    const finish = (): void => {
      socket.destroy()
      const [head = '', ...body] = text.split('\r\n\r\n')
      resolve({ status: Number(head.split(' ')[1] ?? 0), head, body: body.join('\r\n\r\n') })
    }
    socket.on('data', (chunk) => {
      text += chunk.toString()
      const length = /content-length: (\d+)/i.exec(text)?.[1]
      const begins = text.indexOf('\r\n\r\n')
      // The data after an upgrade is not part of the answer.
      const upgraded = begins >= 0 && text.startsWith('HTTP/1.1 101')
      const isWhole = length === undefined ? isLastChunk(text) : text.length >= begins + 4 + Number(length)
      if (upgraded || (begins >= 0 && isWhole)) finish()
    })
    socket.on('close', finish)
    socket.on('error', (error) => (text === '' ? reject(error) : finish()))
    void (async () => {
      for (const part of parts) {
        if (socket.destroyed) return
        if (typeof part === 'string' || Buffer.isBuffer(part)) socket.write(part)
        else {
          await new Promise((go) => setTimeout(go, part.afterMs))
          if (!socket.destroyed) socket.write(part.text)
        }
      }
    })()
  })
}
