import type { Clock } from '../../../../actors/ports/clock.ts'
import type { BodySink } from '../../../http/body.ts'

/**
 * The pieces whose memory is used again. Usually there are three or four. A burst of the kernel's buffers needs more, and the garbage of new
 * ones would be collected only after many of them.
 */
const piecesKept = 12

export interface PieceQueueOptions {
  /** The size of a piece. */
  readonly pieceBytes: number
  /** The connection is paused if more bytes are held. */
  readonly pauseAbove: number
  /** Milliseconds after which a piece that is not full is passed on, so that a slow sender loses little by a crash. */
  readonly latestMs: number
  readonly clock: Clock
}

/** The bytes of a body that wait until they are stored, in pieces. Used once, for one body. */
export class PieceQueue implements BodySink {
  readonly pauseAbove: number
  readonly #pieceBytes: number
  readonly #latestMs: number
  readonly #clock: Clock
  readonly #full: Buffer[] = []
  readonly #free: Buffer[] = []
  #current: Buffer | undefined
  #filled = 0
  #held = 0
  #isClosed = false
  #isLate = false
  #cancelLate: () => void = () => {}
  #wake: (() => void) | undefined

  constructor({ pieceBytes, pauseAbove, latestMs, clock }: PieceQueueOptions) {
    this.#pieceBytes = pieceBytes
    this.#latestMs = latestMs
    this.#clock = clock
    this.pauseAbove = pauseAbove
  }

  /** The bytes that are not released. */
  get held(): number {
    return this.#held
  }

  take(chunk: Uint8Array): number {
    this.#held += chunk.length
    for (let taken = 0; taken < chunk.length; ) {
      const piece = this.#openPiece()
      const part = chunk.subarray(taken, taken + piece.length - this.#filled)
      piece.set(part, this.#filled)
      this.#filled += part.length
      taken += part.length
      if (this.#filled === piece.length) this.#closePiece()
    }
    return this.#held
  }

  /** No more bytes come. Those that have come are still passed on. */
  close(): void {
    this.#isClosed = true
    this.#cancelLate()
    this.#wakeUp()
  }

  /** The next piece, when it is full, late or the last. Undefined at the end. `release` it when it is stored. */
  async next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const full = this.#full.shift()
      if (full !== undefined) return full
      if (this.#filled > 0 && (this.#isLate || this.#isClosed)) {
        this.#closePiece()
        continue
      }
      if (this.#isClosed) return undefined
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  /** The piece is stored. Its memory is used again. */
  release(piece: Uint8Array): void {
    this.#held -= piece.length
    if (this.#free.length < piecesKept && piece.buffer.byteLength === this.#pieceBytes)
      this.#free.push(Buffer.from(piece.buffer as ArrayBuffer, 0, this.#pieceBytes))
  }

  #openPiece(): Buffer {
    if (this.#current !== undefined) return this.#current
    this.#current = this.#free.pop() ?? Buffer.allocUnsafeSlow(this.#pieceBytes)
    this.#filled = 0
    this.#isLate = false
    this.#cancelLate = this.#clock.after(this.#latestMs, () => {
      this.#isLate = true
      this.#wakeUp()
    })
    return this.#current
  }

  #closePiece(): void {
    if (this.#current === undefined) return
    this.#full.push(this.#current.subarray(0, this.#filled))
    this.#current = undefined
    this.#filled = 0
    this.#isLate = false
    this.#cancelLate()
    this.#wakeUp()
  }

  #wakeUp(): void {
    this.#wake?.()
    this.#wake = undefined
  }
}
