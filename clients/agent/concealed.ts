/**
 * Removes secrets from stored output: a run's token, which only the coding CLI receives, and the passwords of a build's signing assets. A
 * program may print its settings or a failed request, so they are removed from all output that is stored.
 */

interface Concealed {
  readonly secret: string
  /** The text that is stored instead of it. */
  readonly shown: string
}

/** Shorter passwords are not removed: they would be found everywhere in a log. */
export const concealedPasswordMin = 4

/** Removes secrets from texts and values. Without a secret, everything is unchanged. */
export class Concealer {
  private readonly all: readonly Concealed[]

  /** @param token of the run @param passwords of signing assets */
  constructor(token: string | undefined, passwords: readonly string[] = []) {
    const long = [...new Set(passwords)].filter(({ length }) => length >= concealedPasswordMin)
    const all = [
      ...(token ? [{ secret: token, shown: 'agent_***' }] : []),
      ...long.map((secret) => ({ secret, shown: '***' })),
    ]
    // A secret may be a part of another one.
    this.all = all.toSorted((a, b) => b.secret.length - a.secret.length)
  }

  get isEmpty(): boolean {
    return this.all.length === 0
  }

  text(text: string): string {
    return this.all.reduce((rest, { secret, shown }) => rest.replaceAll(secret, shown), text)
  }

  /** The same for bytes that are read as `latin1`. */
  forBytes(): Concealer {
    const concealer = new Concealer(undefined)
    const all = this.all.map(({ secret, shown }) => ({ secret: Buffer.from(secret).toString('latin1'), shown }))
    return Object.assign(concealer, { all })
  }

  /** Removes a token from a JSON value. It contains no character that JSON escapes. */
  value<T>(value: T): T {
    if (this.isEmpty) return value
    const text = JSON.stringify(value)
    if (text === undefined) return value
    const concealed = this.text(text)
    return concealed === text ? value : (JSON.parse(concealed) as T)
  }

  stream(): ConcealedStream {
    return new ConcealedStream(this)
  }

  /** Returns how many characters at the end of a text may be the beginning of a secret. */
  begun(text: string): number {
    return Math.max(0, ...this.all.map(({ secret }) => begun(text, secret)))
  }
}

/**
 * Removes secrets from a text that arrives in chunks. If the end of a chunk may be the beginning of a secret, it is held until
 * the next chunk.
 */
export class ConcealedStream {
  private held = ''
  private readonly concealer: Concealer

  constructor(concealer: Concealer) {
    this.concealer = concealer
  }

  take(piece: string): string {
    if (this.concealer.isEmpty) return piece
    const text = this.concealer.text(this.held + piece)
    const end = text.length - this.concealer.begun(text)
    this.held = text.slice(end)
    return text.slice(0, end)
  }

  /** Accepts bytes in any encoding. For secrets that are not ASCII, the concealer is that of `forBytes`. */
  takeBytes(piece: Buffer): Buffer {
    if (this.concealer.isEmpty) return piece
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
