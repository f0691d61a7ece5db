import type { Clock } from '../../../../actors/ports/clock.ts'
import type { BlobMemory } from '../../../../storage/ports/blobs.ts'
import type { BodySink } from '../../../http/body.ts'

export interface PieceQueueOptions {
  /** The size of a piece. */
  readonly pieceBytes: number
  /** The connection is paused if more bytes are held. */
  readonly pauseAbove: number
  /** The body ends if more bytes are held. */
  readonly refuseAbove: number
  /** Milliseconds after which a piece that is not full is passed on, so that a slow sender loses little by a crash. */
  readonly latestMs: number
  readonly memory: BlobMemory
  readonly clock: Clock
}

/** The bytes of a body that wait until they are stored, in pieces. Used once, for one body. */
export class PieceQueue implements BodySink {
  readonly pauseAbove: number
  readonly refuseAbove: number
  readonly #pieceBytes: number
  readonly #latestMs: number
  readonly #memory: BlobMemory
  readonly #clock: Clock
  readonly #full: Uint8Array[] = []
  #current: Uint8Array | undefined
  #filled = 0
  #held = 0
  #isClosed = false
  #isLate = false
  #cancelLate: () => void = () => {}
  #wake: (() => void) | undefined

  constructor({ pieceBytes, pauseAbove, refuseAbove, latestMs, memory, clock }: PieceQueueOptions) {
    this.#pieceBytes = pieceBytes
    this.#latestMs = latestMs
    this.#memory = memory
    this.#clock = clock
    this.pauseAbove = pauseAbove
    this.refuseAbove = refuseAbove
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
    this.#memory.give(piece)
  }

  #openPiece(): Uint8Array {
    if (this.#current !== undefined) return this.#current
    this.#current = this.#memory.take(this.#pieceBytes)
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
