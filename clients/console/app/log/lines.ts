/** The output of a job as lines: bytes of its streams come in pieces, and characters and lines are cut anywhere. */

export interface Line {
  readonly text: string
  readonly stream: 'STDOUT' | 'STDERR' | 'SYSTEM'
}

export interface Chunk {
  readonly sequence: number
  readonly stream: 'STDOUT' | 'STDERR' | 'SYSTEM' | 'END'
  readonly dataBase64: string
}

export class Lines {
  readonly all: Line[] = []
  ended = false
  readonly #decoders = new Map<string, TextDecoder>()
  /** The last line of each stream, where it goes on: its place, and all that came of it. */
  readonly #open = new Map<string, { readonly at: number; readonly whole: string }>()

  add({ stream, dataBase64 }: Chunk): void {
    if (stream === 'END') {
      this.ended = true
      return
    }
    let decoder = this.#decoders.get(stream)
    if (decoder === undefined) {
      decoder = new TextDecoder()
      this.#decoders.set(stream, decoder)
    }
    const pieces = decoder.decode(bytesOf(dataBase64), { stream: true }).split('\n')
    const rest = pieces.pop() ?? ''
    for (const piece of pieces) {
      this.#put(stream, piece)
      this.#open.delete(stream)
    }
    if (rest !== '') this.#put(stream, rest)
  }

  /** Goes on with the open line of the stream, or begins one. */
  #put(stream: Line['stream'], piece: string): void {
    const { at, whole } = this.#open.get(stream) ?? { at: this.all.length, whole: '' }
    const longer = goingOn(whole + piece)
    this.#open.set(stream, { at, whole: longer })
    this.all[at] = { text: visible(longer), stream }
  }
}

/** What of an open line can still be seen: one that is drawn anew a million times stays short. */
function goingOn(line: string): string {
  const end = line.endsWith('\r') ? line.length - 1 : line.length
  return line.slice(line.lastIndexOf('\r', end - 1) + 1)
}

/** What a terminal would show: a carriage return begins the line anew. */
function visible(line: string): string {
  const whole = line.endsWith('\r') ? line.slice(0, -1) : line
  return whole.slice(whole.lastIndexOf('\r') + 1)
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
