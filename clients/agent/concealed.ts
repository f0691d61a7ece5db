/**
 * Removes a run's token from stored output. Only the coding CLI receives the token. The CLI may print its settings or a failed
 * request, so the token is removed from all output of the CLI that is stored.
 */

const shown = 'agent_***'

/** Removes one secret from texts and values. Without a secret, everything is unchanged. */
export class Concealer {
  readonly secret: string | undefined

  constructor(secret: string | undefined) {
    this.secret = secret || undefined
  }

  text(text: string): string {
    return this.secret === undefined ? text : text.replaceAll(this.secret, shown)
  }

  /** Removes the secret from a JSON value. The secret contains no character that JSON escapes. */
  value<T>(value: T): T {
    if (this.secret === undefined) return value
    const text = JSON.stringify(value)
    return text?.includes(this.secret) ? (JSON.parse(this.text(text)) as T) : value
  }

  stream(): ConcealedStream {
    return new ConcealedStream(this)
  }
}

/**
 * Removes the secret from a text that arrives in chunks. If the end of a chunk may be the beginning of the secret, it is held until
 * the next chunk.
 */
export class ConcealedStream {
  private held = ''
  private readonly concealer: Concealer

  constructor(concealer: Concealer) {
    this.concealer = concealer
  }

  take(piece: string): string {
    const { secret } = this.concealer
    if (secret === undefined) return piece
    const text = this.concealer.text(this.held + piece)
    const end = text.length - begun(text, secret)
    this.held = text.slice(end)
    return text.slice(0, end)
  }

  /** Accepts bytes in any encoding. */
  takeBytes(piece: Buffer): Buffer {
    if (this.concealer.secret === undefined) return piece
    return Buffer.from(this.take(piece.toString('latin1')), 'latin1')
  }

  /** Returns the held text at the end of the stream. */
  rest(): string {
    const { held } = this
    this.held = ''
    return held
  }
}

/** Returns how many characters at the end of a text are the beginning of the secret. */
function begun(text: string, secret: string): number {
  for (let length = Math.min(text.length, secret.length - 1); length > 0; length--) {
    if (text.endsWith(secret.slice(0, length))) return length
  }
  return 0
}
