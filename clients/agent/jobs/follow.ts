import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { SpoolWriter } from '../connection/spool.ts'
import { ConnectionLost } from '../failures.ts'
import { pauseSignal } from '../supervisor/pause.ts'
import { childEnvironment } from '../system/environment.ts'
import { bootId, isAlive } from '../system/identity.ts'
import { endProcesses, signalProcess } from '../system/processes.ts'
import { diskFull, isDiskFull } from '../system/unwritable.ts'
import { sleep } from '../wait.ts'
import type { Execution } from './execution.ts'
import { type CancelRecord, type JobFolder, type JobResult, readRecord, recordPath, writeRecord } from './folder.ts'
import type { Plan } from './plan.ts'

const lookMs = 50
/** Milliseconds between checks whether the supervisor runs. This costs more than a check for a file. */
const aliveMs = 1_000
/** Seconds after the grace of a cancel until the agent ends the processes itself, if the supervisor does not. */
const overdueSeconds = 5

/** Milliseconds in which a supervisor must have followed `pause.json`. */
const pauseMs = 5_000

/** The program file for `--supervise`. */
export interface Entry {
  file: string
}

/** Writes the plan and starts a detached supervisor: it survives the end of this process, and signals of its terminal do not reach it. */
export async function startSupervised(
  folder: JobFolder,
  plan: Extract<Plan, { mode: 'SUPERVISED' }>,
  entry: Entry,
  closing: AbortSignal,
): Promise<Execution> {
  await writeRecord(folder, 'run', plan.run)
  const child = spawn(process.execPath, ['--no-warnings', entry.file, '--supervise', folder.path], {
    cwd: folder.path,
    env: { ...childEnvironment(process.env), ...plan.environment },
    detached: true,
    stdio: 'ignore',
  })
  child.unref()
  let gone = false
  for (const event of ['exit', 'error'] as const) child.once(event, () => (gone = true))
  return new Followed(folder, closing, () => !gone)
}

/** Follows an attempt that a former process started. */
export function takeUpSupervised(folder: JobFolder, closing: AbortSignal): Execution {
  return new Followed(folder, closing, () => false)
}

class Followed implements Execution {
  readonly ended: Promise<JobResult>
  private readonly folder: JobFolder
  /** Whether a supervisor was started and has not written its record yet. */
  private readonly isStarting: () => boolean
  private readonly closing: AbortSignal
  private killAt = Number.POSITIVE_INFINITY
  private canceled: CancelRecord | undefined

  constructor(folder: JobFolder, closing: AbortSignal, isStarting: () => boolean) {
    this.folder = folder
    this.closing = closing
    this.isStarting = isStarting
    this.ended = this.follow()
  }

  async cancel(cancel: CancelRecord): Promise<void> {
    this.killAt = Math.min(this.killAt, performance.now() + cancel.graceSeconds * 1000)
    this.canceled = cancel
    // On a full disk the supervisor does not learn of it. Then the agent ends the processes itself.
    await writeRecord(this.folder, 'cancel', cancel).catch(() => {})
    // Before started.json exists, the supervisor cannot handle a signal. It reads cancel.json right after it has written started.json.
    const supervisor = await readRecord(this.folder, 'started')
    if (supervisor && (await isAlive(supervisor))) signalProcess(supervisor.pid, 'SIGTERM')
  }

  async setPaused(isPaused: boolean): Promise<boolean> {
    await writeRecord(this.folder, 'pause', { isPaused })
    for (const giveUpAt = performance.now() + pauseMs; ; await sleep(lookMs, this.closing)) {
      if (this.closing.aborted || (await this.result())) return false
      if ((await readRecord(this.folder, 'paused'))?.isPaused === isPaused) return true
      if (performance.now() > giveUpAt) throw new Error('The process that watches over the command does not react.')
      // Before started.json exists, the supervisor cannot handle a signal. It reads pause.json right after it has written started.json.
      const supervisor = await readRecord(this.folder, 'started')
      if (supervisor && (await isAlive(supervisor))) signalProcess(supervisor.pid, pauseSignal)
    }
  }

  answer(): boolean {
    return false
  }

  private async follow(): Promise<JobResult> {
    for (let nextAliveAt = 0; ; await sleep(lookMs, this.closing)) {
      if (this.closing.aborted) throw new ConnectionLost('The agent stops; the command goes on.')
      const result = await this.result()
      if (result) return result
      if (performance.now() > this.killAt + overdueSeconds * 1000) return this.end('PROCESS_LOST')
      if (performance.now() < nextAliveAt) continue
      nextAliveAt = performance.now() + aliveMs
      const lost = await this.lost()
      if (lost) return (await this.result()) ?? (await this.end(lost))
    }
  }

  private async result(): Promise<JobResult | undefined> {
    // A check costs one failed open. The file is parsed only once.
    const there = await readFile(recordPath(this.folder, 'result')).then(
      () => true,
      () => false,
    )
    return there ? readRecord(this.folder, 'result') : undefined
  }

  private async lost(): Promise<keyof typeof lostBecause | undefined> {
    const supervisor = await readRecord(this.folder, 'started')
    if (!supervisor) return this.isStarting() ? undefined : 'START_FAILED'
    if (supervisor.bootId !== (await bootId())) return 'MACHINE_REBOOTED'
    return (await isAlive(supervisor)) ? undefined : 'PROCESS_LOST'
  }

  /** Ends the processes and the attempt, because no supervisor runs. */
  private async end(errorCode: keyof typeof lostBecause): Promise<JobResult> {
    const supervisor = await readRecord(this.folder, 'started')
    if (supervisor && (await isAlive(supervisor))) signalProcess(supervisor.pid, 'SIGKILL')
    const processesLeft = await endProcesses({ mark: this.folder.mark, groups: new Set() }, () => 0)
    const cancel = this.canceled ?? (await readRecord(this.folder, 'cancel'))
    const { outcome, ...reason } = cancel ?? { outcome: 'FAILED' as const, ...(await this.explain(errorCode)) }
    const result: JobResult = {
      outcome,
      errorCode: reason.errorCode,
      errorMessage: reason.errorMessage,
      processesLeft,
    }
    const log = new SpoolWriter(this.folder.output)
    log.write('SYSTEM', Buffer.from(`${result.errorMessage ?? 'Canceled.'}\n`))
    log.close()
    // On a full disk it is reported from memory.
    await writeRecord(this.folder, 'result', result).catch(() => {})
    return result
  }

  private async explain(errorCode: keyof typeof lostBecause) {
    const mayLackSpace = errorCode !== 'MACHINE_REBOOTED' && (await isDiskFull(this.folder.path))
    return mayLackSpace ? diskFull(this.folder.path) : { errorCode, errorMessage: lostBecause[errorCode] }
  }
}

const lostBecause = {
  MACHINE_REBOOTED: 'The machine was restarted while the command ran.',
  PROCESS_LOST: 'The process that watched over the command was killed; what was left of the command has been ended.',
  START_FAILED: 'The process that watches over the command could not be started.',
} as const
