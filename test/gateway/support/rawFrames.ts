import { randomBytes } from 'node:crypto'

/** A message of a WebSocket's client, for sockets by hand: at most 65,535 bytes of JSON. */
export function maskedFrame(message: unknown): Buffer {
  const payload = Buffer.from(JSON.stringify(message))
  const mask = randomBytes(4)
  const head = Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 255])
  return Buffer.concat([head, mask, payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0))])
}
