/** Operations over one graphql-transport-ws socket, as many in flight as there are lists of variables. */
import { once } from 'node:events'
import WebSocket from 'ws'
import type { Target } from './loadProcess.ts'

export interface SocketTarget extends Target {
  readonly type: 'socket'
  readonly url: string
  readonly apiKey: string
  readonly query: string
  /** For each caller, the variables of its requests, which it sends in rotation. */
  readonly variables: readonly (readonly Readonly<Record<string, unknown>>[])[]
}

export class SocketConnection {
  readonly #target: SocketTarget
  readonly #socket: WebSocket
  readonly #waiting = new Map<string, PromiseWithResolvers<void>>()
  readonly #asked: number[] = []
  #next = 0

  private constructor(target: SocketTarget, socket: WebSocket) {
    this.#target = target
    this.#socket = socket
    socket.on('message', (data) => this.#receive(String(data)))
    socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the socket ended'))
    })
  }

  static async open(target: SocketTarget): Promise<SocketConnection> {
    const socket = new WebSocket(target.url, 'graphql-transport-ws')
    await once(socket, 'open')
    socket.send(JSON.stringify({ type: 'connection_init', payload: { 'X-API-Key': target.apiKey } }))
    await once(socket, 'message')
    return new SocketConnection(target, socket)
  }

  ask(caller: number): Promise<void> {
    const turn = this.#asked[caller] ?? 0
    this.#asked[caller] = turn + 1
    const own = this.#target.variables[caller] ?? []
    const id = String(this.#next++)
    const settle = Promise.withResolvers<void>()
    this.#waiting.set(id, settle)
    const payload = { query: this.#target.query, variables: own[turn % own.length] }
    this.#socket.send(JSON.stringify({ id, type: 'subscribe', payload }))
    return settle.promise
  }

  close(): void {
    this.#waiting.clear()
    this.#socket.close()
  }

  #receive(text: string): void {
    const { id, type, payload } = JSON.parse(text) as { id: string; type: string; payload?: { errors?: unknown } }
    const settle = this.#waiting.get(id)
    if (type === 'next' && payload?.errors === undefined) return
    this.#waiting.delete(id)
    if (type === 'complete') settle?.resolve()
    else settle?.reject(new Error(`unexpected message: ${text.slice(0, 500)}`))
  }
}
