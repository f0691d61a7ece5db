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
  /** Matches each secret. If several begin at one place, it matches the longest. */
  private readonly pattern: RegExp

  /** @param token of the run @param passwords of signing assets */
  constructor(token: string | undefined, passwords: readonly string[] = []) {
    const long = [...new Set(passwords)].filter(({ length }) => length >= concealedPasswordMin)
    const all = [
      ...(token ? [{ secret: token, shown: 'agent_***' }] : []),
      ...long.map((secret) => ({ secret, shown: '***' })),
    ]
    this.all = all.toSorted((a, b) => b.secret.length - a.secret.length)
    this.pattern = toPattern(this.all)
  }

  get isEmpty(): boolean {
    return this.all.length === 0
  }

  text(text: string): string {
    return this.isEmpty ? text : text.replace(this.pattern, (secret) => this.shown(secret))
  }

  /** The same for bytes that are read as `latin1`. */
  forBytes(): Concealer {
    const all = this.all.map(({ secret, shown }) => ({ secret: Buffer.from(secret).toString('latin1'), shown }))
    return Object.assign(new Concealer(undefined), { all, pattern: toPattern(all) })
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

  /** Splits a text that continues: the part that is certain, without its secrets, and the end that may be the beginning of a secret. */
  split(text: string): { readonly certain: string; readonly held: string } {
    const beginnings = this.beginningsIn(text)
    let certain = ''
    let from = 0
    for (const match of text.matchAll(this.pattern)) {
      // The match may be the beginning of a longer secret.
      const held = beginnings.find((begin) => begin >= from && begin <= match.index)
      if (held !== undefined) return { certain: certain + text.slice(from, held), held: text.slice(held) }
      certain += text.slice(from, match.index) + this.shown(match[0])
      from = match.index + match[0].length
    }
    const held = beginnings.find((begin) => begin >= from) ?? text.length
    return { certain: certain + text.slice(from, held), held: text.slice(held) }
  }

  /** The places at the end of a text from which it is the beginning of a secret, the first one first. */
  private beginningsIn(text: string): readonly number[] {
    const longest = this.all[0]?.secret.length ?? 0
    const first = Math.max(0, text.length - longest + 1)
    return Array.from({ length: text.length - first }, (_, index) => first + index).filter((begin) => {
      const end = text.slice(begin)
      return this.all.some(({ secret }) => secret.length > end.length && secret.startsWith(end))
    })
  }

  private shown(secret: string): string {
    return this.all.find((one) => one.secret === secret)?.shown ?? '***'
  }
}

function toPattern(all: readonly Concealed[]): RegExp {
  const escaped = all.map(({ secret }) => secret.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
  // Without a secret, it matches nothing.
  return new RegExp(escaped.join('|') || '(?!)', 'g')
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
    const { certain, held } = this.concealer.split(this.held + piece)
    this.held = held
    return certain
  }

  /** Accepts bytes in any encoding. For secrets that are not ASCII, the concealer is that of `forBytes`. */
  takeBytes(piece: Buffer): Buffer {
    if (this.concealer.isEmpty) return piece
    return Buffer.from(this.take(piece.toString('latin1')), 'latin1')
  }

  /** Returns the held text at the end of the stream. A shorter secret in it is removed. */
  rest(): string {
    const { held } = this
    this.held = ''
    return this.concealer.text(held)
  }
}
