import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { removeLeftSigningFiles } from '../builds/signingFiles.ts'
import { digest } from '../connection/spool.ts'
import { ConnectionLost, messageOf } from '../failures.ts'
import { type Attempt, completeJob, type JobDirective, type JobOffer, refuseJob } from '../operations.ts'
import { endProcesses } from '../system/processes.ts'
import { explainUnwritable } from '../system/unwritable.ts'
import { within } from '../wait.ts'
import { type CancelRecord, createJobFolder, type JobFolder, type JobRecord, jobFolder, listJobs } from './folder.ts'
import { Job, type JobContext } from './job.ts'

/** Seconds of grace if the control plane sets none. */
const defaultGraceSeconds = 10
/** Milliseconds for which the name of a settled attempt is kept. An offer does not arrive later than that. */
const rememberMs = 24 * 3_600_000
/** Milliseconds after which an offer of a settled attempt is no ordinary repeat, which arrives within seconds. */
const ordinaryRepeatMs = 60_000

/** Milliseconds for the end of abandoned jobs. A full disk can keep their folders from being written for any time. */
const abandonMs = 60_000

/** All attempts of this agent: those on disk at the start, and those that are offered. */
export class Jobs {
  private readonly jobs = new Map<string, Job>()
  /** The time at which each attempt was settled, milliseconds since 1970, the earliest first. */
  private readonly settled = new Map<string, number>()
  /** The settled attempts whose offer was logged. */
  private readonly offeredAgain = new Set<string>()
  private readonly jobsFolder: string
  private readonly context: JobContext
  private taking = true

  constructor(jobsFolder: string, context: JobContext) {
    this.jobsFolder = jobsFolder
    this.context = context
  }

  /** Continues the attempts on disk. Nothing is sent before the first connection. */
  async takeUp(): Promise<void> {
    const { attempts, unreadable } = await listJobs(this.jobsFolder)
    for (const mark of unreadable) await this.endUnreadable(mark)
    // A job that has ended removes the skills that no other one uses.
    for (const { folder, record } of attempts)
      if (record.phase !== 'SETTLED') await this.context.skills.worktrees.takeUp(folder)
    // No connection is needed for it, and the control plane may never confirm these attempts.
    for (const { folder } of attempts) await removeLeftSigningFiles(folder)
    const settled: [string, number][] = []
    for (const { folder, record } of attempts) {
      if (record.phase !== 'SETTLED') this.add(new Job(folder, record, this.context))
      else settled.push([folder.mark, record.settledAt ?? 0])
    }
    for (const [mark, at] of settled.sort(([, a], [, b]) => a - b)) this.settled.set(mark, at)
    await this.deleteOld()
  }

  /** The attempts whose lease must be renewed: all for which the control plane has no result. */
  list(): (Attempt & { finished: boolean })[] {
    return [...this.jobs.values()].map(({ folder, finished }) => ({
      jobId: folder.jobId,
      attempt: folder.attempt,
      finished,
    }))
  }

  running(): Attempt[] {
    return [...this.jobs.values()].map((job) => job.name)
  }

  /**
   * Applies the control plane's directive for each attempt at the start of a connection. An attempt without a directive does not
   * belong to this agent.
   */
  reconcile(directives: JobDirective[]): void {
    const named = new Map(directives.map((directive) => [markOf(directive), directive]))
    for (const [mark, job] of this.jobs) {
      const directive = named.get(mark)
      if (directive?.action === 'KEEP') job.resume(directive.logSequence, directive.eventSequence)
      else void job.abandon()
    }
  }

  onOffer(offer: JobOffer): void {
    void this.handle(offer).catch((error) => {
      if (error instanceof ConnectionLost) return
      this.context.log.error('A signal could not be followed.', { signal: offer.signal, reason: messageOf(error) })
    })
  }

  async stop(attempt: Attempt): Promise<void> {
    await this.jobs.get(markOf(attempt))?.abandon()
  }

  /** From now on, new offers are ignored. */
  stopTaking(): void {
    this.taking = false
  }

  /** Ends running jobs: all of them, or only the conversations, which cannot outlive this process. Resolves when they have ended. */
  async end(which: 'ALL' | 'CONVERSATIONS', cancel: CancelRecord): Promise<void> {
    const ending = [...this.jobs.values()].filter((job) => !job.finished && (which === 'ALL' || job.isConversation))
    await Promise.all(ending.map((job) => job.cancel(cancel)))
    await Promise.all(ending.map((job) => job.ended))
  }

  /** Ends all jobs without a report, because the control plane has rejected this agent. */
  async abandonAll(): Promise<void> {
    this.stopTaking()
    const all = [...this.jobs.values()]
    await Promise.all(all.map((job) => job.abandon()))
    await within(abandonMs, Promise.all(all.map((job) => job.settled)))
  }

  /** Resolves when the control plane has received all results. */
  async settleAll(): Promise<void> {
    await Promise.all([...this.jobs.values()].filter((job) => job.finished).map((job) => job.settled))
  }

  private async handle(offer: JobOffer): Promise<void> {
    const job = this.jobs.get(markOf(offer))
    switch (offer.signal) {
      case 'OFFER':
        return this.offered(offer)
      case 'CANCEL': {
        const graceSeconds = offer.graceSeconds ?? defaultGraceSeconds
        return job ? job.cancel({ outcome: 'CANCELED', graceSeconds }) : this.cancelUnknown(offer)
      }
      case 'ANSWER':
        if (!job?.answer(offer.answerId ?? undefined, offer.answer)) {
          this.context.log.warn('An answer came to a job that asked nothing.', { jobId: offer.jobId })
        }
        return
      case 'PAUSE':
        return job?.setPaused(true)
      case 'RESUME':
        return job?.setPaused(false)
      case 'STOP':
        return job?.abandon()
    }
  }

  private async offered(offer: JobOffer): Promise<void> {
    const mark = markOf(offer)
    const folder = jobFolder(this.jobsFolder, offer)
    const settledAt = this.settled.get(mark)
    if (settledAt !== undefined) return this.logOfferedAgain(offer, settledAt)
    if (!this.taking || !folder || this.jobs.has(mark) || this.writing.has(mark)) return
    const record: JobRecord = { jobId: offer.jobId, attempt: offer.attempt, kind: offer.kind, phase: 'OFFERED' }
    this.writing.add(mark)
    try {
      await createJobFolder(folder, record)
      if (this.taking) this.add(new Job(folder, record, this.context))
    } catch (error) {
      await this.refuse(offer, folder, error)
    } finally {
      this.writing.delete(mark)
    }
  }

  /** A job without a folder cannot be accepted. */
  private async refuse({ jobId, attempt }: JobOffer, folder: JobFolder, error: unknown): Promise<void> {
    const { errorCode, errorMessage } = explainUnwritable(folder.path, error, 'The job could not be stored')
    this.context.log.error(errorMessage, { jobId, attempt })
    await rm(folder.path, { recursive: true, force: true })
    await this.context.uplink.ask(refuseJob, { jobId, attempt, code: errorCode, message: errorMessage })
  }

  /** Logs once that the control plane has lost the outcome of an attempt. */
  private logOfferedAgain({ jobId, attempt }: JobOffer, settledAt: number): void {
    const mark = markOf({ jobId, attempt })
    if (Date.now() - settledAt < ordinaryRepeatMs || this.offeredAgain.has(mark)) return
    this.offeredAgain.add(mark)
    this.context.log.warn(
      'A job is offered again whose outcome the control plane had already; it is not run again. The likely reason is a database that was restored from an older backup. Cancel the job, and start its work again if its effects are missing.',
      { jobId, attempt, settledAt: new Date(settledAt).toISOString() },
    )
  }

  /** Offers whose folder is being written. A repeat at that time is the same job. */
  private readonly writing = new Set<string>()

  /** Confirms that no process runs for a job that this agent does not have. */
  private async cancelUnknown({ jobId, attempt }: JobOffer): Promise<void> {
    const mark = markOf({ jobId, attempt })
    if (this.settled.has(mark)) return
    const processesLeft = await endProcesses({ mark, groups: new Set() }, () => 0)
    const { chunks, sha256 } = await digest(`${this.jobsFolder}/none`)
    const log = { logChunks: chunks, logSha256: sha256 }
    await this.context.uplink.ask(completeJob, { jobId, attempt, outcome: 'CANCELED', processesLeft, ...log })
  }

  /**
   * This agent can't name the attempt to the control plane, which concludes from its absence that nothing of it runs, and may offer the job
   * again.
   */
  private async endUnreadable(mark: string): Promise<void> {
    const processesLeft = await endProcesses({ mark, groups: new Set() }, () => 0)
    this.context.log.error('The record of a job can’t be read. The job is ended without a report.', {
      mark,
      processesLeft,
    })
    await rm(join(this.jobsFolder, mark), { recursive: true, force: true })
  }

  private add(job: Job): void {
    const { mark } = job.folder
    this.jobs.set(mark, job)
    void job.settled.then(() => {
      if (!job.isSettled) return
      this.jobs.delete(mark)
      if (job.started) this.settled.set(mark, Date.now())
      void this.deleteOld().catch((error) =>
        this.context.log.error('The folder of an old job can’t be deleted.', { reason: messageOf(error) }),
      )
    })
  }

  private async deleteOld(): Promise<void> {
    for (const [mark, at] of this.settled) {
      if (Date.now() - at < rememberMs) return
      this.settled.delete(mark)
      this.offeredAgain.delete(mark)
      await rm(join(this.jobsFolder, mark), { recursive: true, force: true })
    }
  }
}

function markOf({ jobId, attempt }: Attempt): string {
  return `${jobId}.${attempt}`
}
