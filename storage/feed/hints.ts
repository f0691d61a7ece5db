/**
 * The messages that one process sends to the others by NOTIFY. Each message has its sender and a number that grows by one, so that a lost
 * message shows as a gap. A message without hints is a heartbeat. NOTIFY takes less than 8,000 bytes, so hints may need several
 * messages. Past a bound, one message states that there were more.
 */

/** Hints that wait to be sent. Past this many they are dropped for one "there was more": a bound on memory while NOTIFY hangs. */
const maxWaiting = 5_000
const maxBytes = 7_000
const maxMessages = 16

/** The changes since the last message: actors with their sequences, streams with whether they ended. */
export class Hints {
  readonly #actors = new Map<string, number>()
  readonly #streams = new Map<string, boolean>()
  #overflowed = false

  get isEmpty(): boolean {
    return this.#actors.size === 0 && this.#streams.size === 0 && !this.#overflowed
  }

  get waiting(): number {
    return this.#actors.size + this.#streams.size
  }

  addActor(id: string, seq: number): void {
    if (this.#overflowed) return
    this.#actors.set(id, seq)
    this.#bound()
  }

  addStream(stream: string, ended: boolean): void {
    if (this.#overflowed) return
    this.#streams.set(stream, ended)
    this.#bound()
  }

  bodies(): readonly MessageBody[] {
    if (this.#overflowed) return [{ word: 'more' }]
    const made: MessageBody[] = []
    let actors: [string, number][] = []
    let streams: [string, boolean][] = []
    let bytes = 0
    const close = (): void => {
      if (actors.length + streams.length > 0) made.push({ actors, streams })
      actors = []
      streams = []
      bytes = 0
    }
    const makeRoom = (name: string): void => {
      // 24: quotes, brackets, commas and the number.
      const size = Buffer.byteLength(JSON.stringify(name)) + 24
      if (bytes + size > maxBytes - 250) close()
      bytes += size
    }
    for (const actor of this.#actors) {
      makeRoom(actor[0])
      actors.push(actor)
    }
    for (const stream of this.#streams) {
      makeRoom(stream[0])
      streams.push(stream)
    }
    close()
    return made.length > maxMessages ? [{ word: 'more' }] : made
  }

  #bound(): void {
    if (this.waiting <= maxWaiting) return
    this.#overflowed = true
    this.#actors.clear()
    this.#streams.clear()
  }
}

export interface MessageBody {
  readonly actors?: readonly (readonly [string, number])[]
  readonly streams?: readonly (readonly [string, boolean])[]
  /** `more`: there was too much to list. `bye`: the process stops. */
  readonly word?: 'more' | 'bye'
}

export interface MessageHead {
  /** The token of the process that sent it. */
  readonly from: string
  /** Grows by one with each message of that process. */
  readonly n: number
  /** On the sender's own monotonic clock: means something to the sender alone. */
  readonly sentAt: number
  /** The sender has detected no other process and sends no hints. */
  readonly quiet?: true | undefined
  /** There were hints that it did not send while it was quiet. */
  readonly skipped?: true | undefined
}

export type Message = MessageHead & MessageBody

/** Returns undefined for what is not a message of a Signalbox process: anybody may send on the channel. */
export function parseMessage(text: string): Message | undefined {
  try {
    const message = JSON.parse(text) as Partial<Message> | null
    const { from, n, sentAt } = message ?? {}
    return typeof from === 'string' && Number.isInteger(n) && typeof sentAt === 'number'
      ? (message as Message)
      : undefined
  } catch {
    return undefined
  }
}
