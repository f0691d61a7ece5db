import { randomBytes } from 'node:crypto'

/**
 * Frames of RFC 6455 for a load generator: written without the cost of masking, and read without storing messages that are only
 * counted.
 */

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

const none = Buffer.alloc(0)

/** The request with which a raw connection becomes a WebSocket. */
export function upgradeRequest(path = '/graphql', protocol = 'graphql-transport-ws'): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: ${protocol}\r\n\r\n`
}

/** A frame from a client. Its mask is zeros, which leaves the payload as it is. */
export function clientFrame(payload: string | Buffer, opcode: number = opcodes.text, fin = true): Buffer {
  const body = typeof payload === 'string' ? Buffer.from(payload) : payload
  const first = (fin ? 0x80 : 0) | opcode
  const long = body.length > 0xffff
  const head = Buffer.alloc(body.length < 126 ? 6 : long ? 14 : 8)
  head[0] = first
  if (body.length < 126) head[1] = 0x80 | body.length
  else if (long) {
    head[1] = 0x80 | 127
    head.writeBigUInt64BE(BigInt(body.length), 2)
  } else {
    head[1] = 0x80 | 126
    head.writeUInt16BE(body.length, 2)
  }
  return Buffer.concat([head, body])
}

export interface FrameHandlers {
  /** A whole message. It has a payload only if payloads are kept. */
  message(payload: Buffer): void
  control(opcode: number, payload: Buffer): void
}

/** Reads a server's frames from data in chunks of any size. */
export class FrameReader {
  readonly #keep: boolean
  readonly #handlers: FrameHandlers
  #head: Buffer = none
  #left = 0
  #inFrame = false
  #first = 0
  #parts: Buffer[] = []
  #control: Buffer[] = []

  constructor(keep: boolean, handlers: FrameHandlers) {
    this.#keep = keep
    this.#handlers = handlers
  }

  feed(data: Buffer): void {
    let at = 0
    let all = data
    if (this.#head.length > 0) {
      all = Buffer.concat([this.#head, data])
      this.#head = none
    }
    while (at < all.length) {
      if (!this.#inFrame) {
        const begins = this.#begin(all, at)
        if (begins === undefined) {
          this.#head = Buffer.from(all.subarray(at))
          return
        }
        at = begins
      }
      const step = Math.min(this.#left, all.length - at)
      if (step > 0) this.#take(all, at, at + step)
      at += step
      this.#left -= step
      if (this.#left === 0) this.#end()
    }
  }

  /** The start of the payload; undefined if the head is not complete yet. */
  #begin(all: Buffer, at: number): number | undefined {
    if (all.length - at < 2) return undefined
    const short = (all[at + 1] ?? 0) & 127
    const size = short === 126 ? 4 : short === 127 ? 10 : 2
    if (all.length - at < size) return undefined
    this.#first = all[at] ?? 0
    this.#left = short === 126 ? all.readUInt16BE(at + 2) : short === 127 ? Number(all.readBigUInt64BE(at + 2)) : short
    this.#inFrame = true
    return at + size
  }

  #take(all: Buffer, from: number, to: number): void {
    const control = (this.#first & 8) !== 0
    // A copy, since the read buffer may be used again.
    if (control) this.#control.push(Buffer.from(all.subarray(from, to)))
    else if (this.#keep) this.#parts.push(Buffer.from(all.subarray(from, to)))
  }

  #end(): void {
    this.#inFrame = false
    if ((this.#first & 8) !== 0) {
      const payload = Buffer.concat(this.#control)
      this.#control = []
      this.#handlers.control(this.#first & 15, payload)
      return
    }
    if ((this.#first & 0x80) === 0) return
    const [only] = this.#parts
    const payload = this.#parts.length > 1 ? Buffer.concat(this.#parts) : (only ?? none)
    this.#parts = []
    this.#handlers.message(payload)
  }
}

/** A message of a WebSocket's client, for sockets by hand: at most 65,535 bytes of JSON. */
export function maskedFrame(message: unknown): Buffer {
  const payload = Buffer.from(JSON.stringify(message))
  const mask = randomBytes(4)
  const head = Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 255])
  return Buffer.concat([head, mask, payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0))])
}
