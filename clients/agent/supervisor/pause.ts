import { type JobFolder, readRecord, writeRecord } from '../jobs/folder.ts'
import type { Countdown } from '../system/countdown.ts'
import { continueProcesses, type ProcessSet, stopProcesses } from '../system/processes.ts'
import { deferred } from '../wait.ts'

/** Tells a supervisor to read `pause.json`. */
export const pauseSignal = 'SIGUSR2'

/** Follows `pause.json`: stops the processes of a run and its time limit, or lets them continue, and confirms it in `paused.json`. */
export class Pause {
  private readonly folder: JobFolder
  private readonly processes: ProcessSet
  private readonly countdown: Countdown
  private isPaused = false
  private resumed = deferred()
  private following: Promise<void> = Promise.resolve()

  constructor(folder: JobFolder, processes: ProcessSet, countdown: Countdown) {
    this.folder = folder
    this.processes = processes
    this.countdown = countdown
    this.resumed.resolve()
  }

  /** Resolves when the run is not paused. */
  get over(): Promise<void> {
    return this.resumed.promise
  }

  look(): Promise<void> {
    this.following = this.following.then(() => this.follow()).catch(() => {})
    return this.following
  }

  private async follow(): Promise<void> {
    const record = await readRecord(this.folder, 'pause')
    if (record === undefined) return
    if (record.isPaused !== this.isPaused) await (record.isPaused ? this.stop() : this.resume())
    await writeRecord(this.folder, 'paused', record)
  }

  private async stop(): Promise<void> {
    this.isPaused = true
    this.resumed = deferred()
    this.countdown.hold('PAUSE')
    await stopProcesses(this.processes)
  }

  private async resume(): Promise<void> {
    this.isPaused = false
    await continueProcesses(this.processes)
    this.countdown.release('PAUSE')
    this.resumed.resolve()
  }
}
