/**
 * A run's token on its way to the coding CLI must stand nowhere else. The CLI may print what it was given (its settings, a failed
 * request), so it is taken out of everything that is kept of what the CLI says.
 */

const shown = 'agent_***'

/** Takes one secret out of texts and values. Without a secret everything stays as it is. */
export class Concealer {
  readonly secret: string | undefined

  constructor(secret: string | undefined) {
    this.secret = secret || undefined
  }

  text(text: string): string {
    return this.secret === undefined ? text : text.replaceAll(this.secret, shown)
  }

  /** Of a value that came as JSON; the secret has no character that JSON writes in another way. */
  value<T>(value: T): T {
    if (this.secret === undefined) return value
    const text = JSON.stringify(value)
    return text?.includes(this.secret) ? (JSON.parse(this.text(text)) as T) : value
  }

  stream(): ConcealedStream {
    return new ConcealedStream(this)
  }
}

/** The same for a text that comes in pieces: what may be the beginning of the secret waits for what follows. */
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

  /** Of bytes in any encoding. */
  takeBytes(piece: Buffer): Buffer {
    if (this.concealer.secret === undefined) return piece
    return Buffer.from(this.take(piece.toString('latin1')), 'latin1')
  }

  /** What waited, when nothing more follows. */
  rest(): string {
    const { held } = this
    this.held = ''
    return held
  }
}

/** How many characters at the end of a text are the beginning of the secret. */
function begun(text: string, secret: string): number {
  for (let length = Math.min(text.length, secret.length - 1); length > 0; length--) {
    if (text.endsWith(secret.slice(0, length))) return length
  }
  return 0
}
