import { Socket, type SocketConstructorOpts } from 'node:net'
import type { Address } from './target.ts'

/** @throws the system's error, or one with code `CONNECT_TIMEOUT` */
export function openSocket(
  address: Address,
  options: { readonly timeoutMs: number; readonly writableHighWaterMark?: number },
): Promise<Socket> {
  const { timeoutMs, writableHighWaterMark } = options
  const socket = new Socket({ ...(writableHighWaterMark && { writableHighWaterMark }) } as SocketConstructorOpts)
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = new Error(`no TCP connection within ${timeoutMs} ms`)
      socket.destroy(Object.assign(error, { code: 'CONNECT_TIMEOUT' }))
    }, timeoutMs)
    const failed = (error: Error): void => {
      clearTimeout(timer)
      reject(error)
    }
    socket.once('error', failed)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.removeListener('error', failed)
      resolve(socket)
    })
    socket.setNoDelay(true)
    if ('path' in address) return socket.connect(address.path)
    // The driver reads the name for TLS from the socket.
    Object.assign(socket, address)
    return socket.connect(address.port, address.host)
  })
}

/** The driver waits for ever if it gets no socket. This one fails in the next turn of the event loop. */
export function failingSocket(error: Error): Socket {
  const socket = new Socket()
  setImmediate(() => socket.destroy(error))
  return socket
}
