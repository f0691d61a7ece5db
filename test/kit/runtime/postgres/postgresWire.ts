/** The framing of PostgreSQL's protocol, as far as the proxies need it. */

const sslRequest = 80_877_103
const cancelRequest = 80_877_102
const version3 = 196_608

/** Splits a server's data into messages and removes those for which `drop` returns true, wherever the chunks end. */
export class ServerMessages {
  #rest: Buffer = Buffer.alloc(0)
  /** The number of single-byte answers to requests for encryption that are still expected. */
  #bare = 0

  /** The server answers the next request with one single byte. */
  expectBareByte(): void {
    this.#bare++
  }

  /** The data that is passed on. */
  take(chunk: Buffer, drop: (message: Buffer) => boolean): Buffer {
    const data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const parts: Buffer[] = []
    let at = 0
    if (this.#bare > 0 && data.length > 0) {
      this.#bare--
      parts.push(data.subarray(0, 1))
      at = 1
    }
    while (data.length - at >= 5) {
      const end = at + 1 + data.readUInt32BE(at + 1)
      if (data.length < end) break
      const message = data.subarray(at, end)
      if (!drop(message)) parts.push(message)
      at = end
    }
    this.#rest = data.subarray(at)
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
  }
}

/** The payload of a NotificationResponse: type, length, process ID, then channel and payload, each terminated by a zero. */
export function notificationIn(message: Buffer): string | undefined {
  if (message[0] !== 'A'.charCodeAt(0)) return undefined
  const channelEnd = message.indexOf(0, 9)
  return message.toString('utf8', channelEnd + 1, message.length - 1)
}

/** The type of a client's first packet, once it is complete. */
export function startupPacket(data: Buffer): 'incomplete' | 'encryption' | 'cancel' | 'startup' {
  if (data.length < 8 || data.length < data.readUInt32BE(0)) return 'incomplete'
  const code = data.readUInt32BE(4)
  if (code === sslRequest || code === sslRequest + 1) return 'encryption'
  if (code === cancelRequest) return 'cancel'
  if (code !== version3)
    throw new Error(`The client uses protocol ${code}, and the proxy supports only 3.0. Add the protocol to the proxy.`)
  return 'startup'
}
