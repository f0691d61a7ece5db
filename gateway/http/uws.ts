/** The only module that uses uWebSockets.js: the parts that the gateway needs, with types that the package lacks. */
import './headBuffer.ts'
import {
  App as createApp,
  type HttpRequest,
  type HttpResponse,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
  type WebSocket,
  type WebSocketBehavior,
} from 'uWebSockets.js'

export type UwsApp = TemplatedApp
export type UwsRequest = HttpRequest
export type UwsResponse = HttpResponse
export type UwsSocket<Data> = WebSocket<Data>
export type UwsBehavior<Data> = WebSocketBehavior<Data>
export type UpgradeContext = Parameters<HttpResponse['upgrade']>[4]

/** `DISABLED`, which the package declares only as a type. */
export const noCompression = 0

interface Fragments {
  sendFirstFragment(message: Uint8Array, isBinary: boolean): number
  sendLastFragment(message: Uint8Array): number
}

/**
 * Sends one text message as two fragments, so that many sockets share the second. Returns the same codes as `send`. The package has
 * no types for it.
 */
export function sendInTwo(ws: UwsSocket<unknown>, head: Uint8Array, body: Uint8Array): number {
  const socket = ws as unknown as Fragments
  const first = socket.sendFirstFragment(head, false)
  // The last fragment must be sent in any case, even if the first one was dropped.
  const last = socket.sendLastFragment(body)
  return Math.max(first, last) === 2 ? 2 : last
}

export function newApp(): UwsApp {
  return createApp()
}

/** Without this option, uWebSockets.js lets two listeners share a port. With it, the second one fails. */
const exclusivePort = 1

export interface Listening {
  readonly port: number
  /** Accepts no more connections. Open connections stay open. */
  close(): void
}

/** Resolves to `undefined` if the port is in use. */
export function listen(app: UwsApp, host: string, port: number): Promise<Listening | undefined> {
  type Listen = (host: string, port: number, options: number, done: (token: us_listen_socket | false) => void) => void
  return new Promise((resolve) => {
    const start = app.listen.bind(app) as unknown as Listen
    start(host, port, exclusivePort, (token) => {
      resolve(
        token
          ? {
              port: us_socket_local_port(token as unknown as Parameters<typeof us_socket_local_port>[0]),
              close: () => us_listen_socket_close(token),
            }
          : undefined,
      )
    })
  })
}
