/** The record of one attempt, in memory and on disk, until the attempt is settled. */
import { rm } from 'node:fs/promises'
import { messageOf } from '../failures.ts'
import type { Logger } from '../log.ts'
import { sleep } from '../wait.ts'
import { emptyJobFolder, type JobFolder, type JobRecord, writeRecord } from './folder.ts'

/** Milliseconds between two attempts to write to the folder of an ended job. */
const settleAgainMs = 10_000

export class KeptRecord {
  private readonly folder: JobFolder
  private readonly log: Logger
  private record: JobRecord
  private writing: Promise<void> = Promise.resolve()

  constructor(folder: JobFolder, record: JobRecord, log: Logger) {
    this.folder = folder
    this.record = record
    this.log = log
  }

  get current(): JobRecord {
    return this.record
  }

  get isStarted(): boolean {
    return this.record.phase !== 'OFFERED'
  }

  /** Writes one after the other, so that the last change is the final one on disk. */
  write(change: Partial<JobRecord>): Promise<void> {
    this.record = { ...this.record, ...change }
    // A repeat is recognized by the name. The commands and the prompt are not needed.
    if (this.record.phase === 'SETTLED') delete this.record.spec
    const record = this.record
    const written = this.writing.then(() => writeRecord(this.folder, 'job', record))
    this.writing = written.catch(() => {})
    return written
  }

  /**
   * Tries until the folder can be written, or the agent stops: then it returns false, and the next start tidies up. Until it returns, the
   * attempt is listed as one of this agent.
   */
  async settle(closing: AbortSignal): Promise<boolean> {
    for (let failures = 0; ; failures++) {
      try {
        await this.tryToSettle()
        return true
      } catch (error) {
        if (failures === 0) await this.makeRoom(error)
        else await sleep(settleAgainMs, closing)
        if (closing.aborted) return false
      }
    }
  }

  /** Keeps the name of a started attempt, so that a late repeat of its offer is recognized. Deletes an attempt that was never started. */
  private async tryToSettle(): Promise<void> {
    if (!this.isStarted) return rm(this.folder.path, { recursive: true, force: true })
    await this.write({ phase: 'SETTLED', settledAt: Date.now() })
    await emptyJobFolder(this.folder)
  }

  /** Deletes the log and the events. The control plane has them, or has given the attempt up. */
  private async makeRoom(error: unknown): Promise<void> {
    const { jobId, attempt } = this.folder
    this.log.error('A job’s folder can’t be written; trying again.', { jobId, attempt, reason: messageOf(error) })
    for (const path of [this.folder.output, this.folder.events]) await rm(path, { force: true }).catch(() => {})
  }
}
