import { type Frame, SpoolReader } from '../connection/spool.ts'
import type { Session, Uplink } from '../connection/uplink.ts'
import { ConnectionLost, isDisowning } from '../failures.ts'
import { sleep } from '../wait.ts'

/** Milliseconds between looks at a spool that may have grown. With the 20 ms of the collector this keeps a line under 100 ms. */
const lookMs = 40

export interface PumpOptions {
  path: string
  uplink: Uplink
  /** Sends the frames and returns how many the control plane now has, counted from the beginning. */
  send(session: Session, frames: Frame[]): Promise<number>
  /** The control plane says that the attempt is not ours. */
  onDisowned(): void
  onTrouble(error: unknown): void
  signal: AbortSignal
}

/**
 * Sends a spool to the control plane, in order, one block at a time: memory is bounded by the block, and what is under way by one
 * request. What was cut off is sent again with the same numbers, so that it is stored once.
 */
export class Pump {
  private readonly options: PumpOptions
  private readonly reader: SpoolReader
  private rewindTo: number | undefined
  private complete = false
  private readonly finished: Promise<void>

  constructor(options: PumpOptions) {
    this.options = options
    this.reader = new SpoolReader(options.path)
    this.finished = this.run().finally(() => this.reader.close())
  }

  /** On a new connection: the control plane has everything below `sequence`. */
  rewind(sequence: number): void {
    this.rewindTo = sequence
  }

  /** The spool will not grow any more; resolves when all of it is stored, or the attempt is no longer ours. */
  drain(): Promise<void> {
    this.complete = true
    return this.finished
  }

  private async run(): Promise<void> {
    const { uplink, signal } = this.options
    while (!signal.aborted && !uplink.stopped) {
      try {
        const session = await uplink.ready(signal)
        if (!(await this.sendNext(session))) return
      } catch (error) {
        if (signal.aborted) return
        if (isDisowning(error)) return this.options.onDisowned()
        // The next session says how far the control plane came; until then nothing can be sent anyway.
        if (!(error instanceof ConnectionLost)) this.options.onTrouble(error)
        await sleep(error instanceof ConnectionLost ? lookMs : 1_000, signal)
      }
    }
  }

  /** False at the end of a spool that is complete. */
  private async sendNext(session: Session): Promise<boolean> {
    const rewindTo = this.rewindTo
    this.rewindTo = undefined
    if (rewindTo !== undefined) await this.reader.seek(rewindTo)

    const isLast = this.complete
    const before = this.reader.sequence
    const frames = await this.reader.read()
    if (frames.length === 0) {
      if (isLast) return false
      await sleep(lookMs, this.options.signal)
      return true
    }
    let stored = before
    try {
      stored = await this.options.send(session, frames)
    } finally {
      if (stored !== this.reader.sequence) this.rewindTo ??= stored
    }
    // An answer that moves nothing would otherwise be asked for in a tight circle.
    if (stored <= before) await sleep(250, this.options.signal)
    return true
  }
}
