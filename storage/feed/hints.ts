/**
 * What one process tells the others through NOTIFY: which actors and streams have moved. A payload holds less than 8,000 bytes, so
 * there may be several; past a few, the others are only told that there was more.
 */

/** What moved since the last telling: actors with their sequences, streams with whether they ended. */
export class Hints {
  readonly actors = new Map<string, number>()
  readonly streams = new Map<string, boolean>()

  get empty(): boolean {
    return this.actors.size === 0 && this.streams.size === 0
  }
}

export type Payload =
  | {
      readonly from: string
      readonly actors: readonly (readonly [string, number])[]
      readonly streams: readonly (readonly [string, boolean])[]
    }
  /** Somebody has begun to listen; who hears it tells from then on, and answers `here`. */
  | { readonly from: string; readonly word: 'hello' | 'here' | 'bye' | 'more' }

const maxBytes = 7_000
const maxPayloads = 16

export function payloads(from: string, hints: Hints): readonly string[] {
  const made: string[] = []
  let actors: [string, number][] = []
  let streams: [string, boolean][] = []
  let bytes = 0
  const close = (): void => {
    if (actors.length + streams.length > 0) made.push(JSON.stringify({ from, actors, streams }))
    actors = []
    streams = []
    bytes = 0
  }
  const room = (name: string): void => {
    // 24: quotes, brackets, commas and the number.
    const size = Buffer.byteLength(JSON.stringify(name)) + 24
    if (bytes + size > maxBytes - 200) close()
    bytes += size
  }
  for (const actor of hints.actors) {
    room(actor[0])
    actors.push(actor)
  }
  for (const stream of hints.streams) {
    room(stream[0])
    streams.push(stream)
  }
  close()
  return made.length > maxPayloads ? [JSON.stringify({ from, word: 'more' })] : made
}

export function word(from: string, word: 'hello' | 'here' | 'bye'): string {
  return JSON.stringify({ from, word })
}

/** What others may send is not trusted to be ours: anything else is passed over. */
export function parsePayload(text: string): Payload | undefined {
  try {
    const payload = JSON.parse(text) as Partial<Payload> | null
    return typeof payload?.from === 'string' ? (payload as Payload) : undefined
  } catch {
    return undefined
  }
}
