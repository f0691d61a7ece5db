import { type Frame, SpoolReader } from '../connection/spool.ts'
import type { Session, Uplink } from '../connection/uplink.ts'
import { ConnectionLost, isDisowning } from '../failures.ts'
import { type Deferred, deferred, sleep, within } from '../wait.ts'

/**
 * Milliseconds between checks of a spool that may have grown, and between requests while it grows slowly. With the 20 ms of the collector, a line
 * arrives in less than 100 ms.
 */
const lookMs = 40

export interface PumpOptions {
  path: string
  uplink: Uplink
  /** Sends the frames and returns how many the control plane now has, counted from the beginning. */
  send(session: Session, frames: Frame[]): Promise<number>
  /** The control plane reports that the attempt does not belong to this agent. */
  onDisowned(): void
  onTrouble(error: unknown): void
  signal: AbortSignal
}

/**
 * Sends a spool to the control plane, in order, one block at a time. At most one block is in memory and one request is in flight.
 * After an interruption, frames are sent again with the same numbers, so each is stored once.
 */
export class Pump {
  private readonly options: PumpOptions
  private readonly reader: SpoolReader
  private rewindTo: number | undefined
  private complete = false
  private grown = deferred()
  /** The pending calls of `untilStored`. */
  private waiting: Deferred<void>[] = []
  private sentAt = Number.NEGATIVE_INFINITY
  private readonly finished: Promise<void>

  constructor(options: PumpOptions) {
    this.options = options
    this.reader = new SpoolReader(options.path)
    this.finished = this.run().finally(() => this.reader.close())
  }

  /** After a reconnect: the control plane has everything below `sequence`. */
  rewind(sequence: number): void {
    this.rewindTo = sequence
  }

  /** The spool has grown. A pump that has sent nothing for a while sends it at once. Without this call, the next check finds it. */
  notify(): void {
    this.grown.resolve()
  }

  /** Resolves when all that the spool holds now is stored, or the attempt no longer belongs to this agent. */
  async untilStored(): Promise<void> {
    const stored = deferred()
    this.waiting.push(stored)
    this.notify()
    await Promise.race([stored.promise, this.finished])
  }

  /** The spool is complete. Resolves when all of it is stored, or the attempt no longer belongs to this agent. */
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
        // The next session reports how much the control plane has. Until then nothing can be sent.
        if (!(error instanceof ConnectionLost)) this.options.onTrouble(error)
        await sleep(error instanceof ConnectionLost ? lookMs : 1_000, signal)
      }
    }
  }

  /** Returns false at the end of a complete spool. */
  private async sendNext(session: Session): Promise<boolean> {
    const rewindTo = this.rewindTo
    this.rewindTo = undefined
    if (rewindTo !== undefined) await this.reader.seek(rewindTo)

    const isLast = this.complete
    this.grown = deferred()
    const before = this.reader.sequence
    // A call during the read may be about a frame that the read misses.
    const waiting = this.waiting.splice(0)
    const frames = await this.reader.read()
    if (frames.length === 0) {
      for (const stored of waiting) stored.resolve()
      if (isLast) return false
      await this.untilGrown()
      return true
    }
    this.waiting.unshift(...waiting)
    this.sentAt = performance.now()
    let stored = before
    try {
      stored = await this.options.send(session, frames)
    } finally {
      if (stored !== this.reader.sequence) this.rewindTo ??= stored
    }
    // Without this pause, a response that stores nothing would cause a busy loop.
    if (stored <= before) await sleep(250, this.options.signal)
    return true
  }

  private async untilGrown(): Promise<void> {
    await within(lookMs, this.grown.promise)
    const early = this.sentAt + lookMs - performance.now()
    if (early > 0) await sleep(early, this.options.signal)
  }
}
