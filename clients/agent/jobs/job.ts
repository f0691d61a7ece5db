import { endLeftConversation, startConversation } from '../acp/conversation.ts'
import { removeCheckout } from '../builds/checkout.ts'
import { collectFiles } from '../builds/collect.ts'
import { reportBuilding } from '../builds/progress.ts'
import { removeSigningFiles, writeSigningFiles } from '../builds/signingFiles.ts'
import type { CredentialStore } from '../connection/credential.ts'
import { digest } from '../connection/spool.ts'
import type { Uplink } from '../connection/uplink.ts'
import { followDeploy } from '../deployments/followDeploy.ts'
import { prepareDeploy } from '../deployments/prepareDeploy.ts'
import { ConnectionLost, ControlPlaneError, messageOf } from '../failures.ts'
import type { Logger } from '../log.ts'
import { type AcceptPayload, acceptJob, completeJob, type JobKind, reportJobPaused } from '../operations.ts'
import { loadSkills, placeSkills, type RunSkills } from '../skills/runSkills.ts'
import { endProcesses } from '../system/processes.ts'
import { explainUnwritable } from '../system/unwritable.ts'
import { deferred } from '../wait.ts'
import { downloadAttachments } from './attachments.ts'
import { sendDiffImage } from './diffImage.ts'
import type { Execution } from './execution.ts'
import { type CancelRecord, type JobFolder, type JobRecord, type JobResult, readRecord, writeRecord } from './folder.ts'
import { type Entry, startSupervised, takeUpSupervised } from './follow.ts'
import { JobStreams } from './jobStreams.ts'
import { KeptRecord } from './keptRecord.ts'
import { planJob, type Setup } from './plan.ts'
import { beginPlanWatch, endPlanWatch } from './planWatch.ts'
import { Refusal } from './refusal.ts'
import { reportResult } from './report.ts'
import { beginChanges, endChanges } from './runChanges.ts'
import { BuildSpec, CreateWorktreeSpec, readSpec } from './spec.ts'
import { removeUnfinished } from './unfinished.ts'
import type { Use, WorktreeUse } from './worktreeUse.ts'

export interface JobContext {
  uplink: Uplink
  setup: Setup
  entry: Entry
  /** Aborted when the agent stops. Commands continue. */
  closing: AbortSignal
  worktrees: WorktreeUse
  skills: RunSkills
  credentials: CredentialStore
  log: Logger
  /** No process of the attempt runs. Worktrees may have changed. */
  onEnded(job: Job): void
}

/** One attempt, from its record on disk until the control plane has its result. */
export class Job {
  readonly folder: JobFolder
  readonly kind: JobKind
  /** Resolves when the attempt needs no more work, or the agent stops. `isSettled` distinguishes the two. */
  readonly settled: Promise<void>
  isSettled = false
  /** Resolves when no process of it runs, or the agent stops. */
  readonly ended: Promise<void>
  /** Whether its processes have ended and the result is on disk. */
  finished = false
  private readonly record: KeptRecord
  private readonly context: JobContext
  private readonly streams: JobStreams
  private readonly disowned = new AbortController()
  /** Aborted when the files of a build are no longer wanted. */
  private readonly collecting = new AbortController()
  private execution: Execution | undefined
  private wanted: CancelRecord | undefined
  private use: Use | undefined
  private isPauseWanted: boolean | undefined
  private pausing: Promise<void> = Promise.resolve()
  private readonly performed = deferred()

  constructor(folder: JobFolder, record: JobRecord, context: JobContext) {
    this.folder = folder
    this.kind = record.kind
    this.record = new KeptRecord(folder, record, context.log)
    this.context = context
    if (record.phase === 'ABANDONED') this.disowned.abort()
    this.streams = new JobStreams(folder, context.uplink, {
      signal: this.disowned.signal,
      onDisowned: () => void this.abandon(),
      onTrouble: (error) =>
        context.log.warn('Output could not be sent; trying again.', { ...this.name, reason: messageOf(error) }),
    })
    this.ended = this.performed.promise
    this.settled = this.live()
  }

  /** Whether it ends with this process. */
  get isConversation(): boolean {
    return this.record.current.mode === 'CONVERSATION'
  }

  /** For log lines. */
  get name(): { jobId: string; attempt: number } {
    return { jobId: this.folder.jobId, attempt: this.folder.attempt }
  }

  get started(): boolean {
    return this.record.isStarted
  }

  /** The control plane confirms the attempt and has this much of it. */
  resume(logSequence: number, eventSequence: number): void {
    this.streams.resume(logSequence, eventSequence)
  }

  async cancel(cancel: CancelRecord): Promise<void> {
    this.wanted = cancel
    this.collecting.abort()
    await this.execution?.cancel(cancel)
  }

  /** Applies and reports one request after the other. The control plane repeats a request that was not reported. */
  setPaused(isPaused: boolean): void {
    this.isPauseWanted = isPaused
    const { execution } = this
    if (!execution) return
    this.pausing = this.pausing
      .then(async () => {
        const { jobId, attempt } = this.folder
        if (!(await execution.setPaused(isPaused))) return
        await this.context.uplink.ask(reportJobPaused, { jobId, attempt, isPaused }, this.disowned.signal)
      })
      .catch((error) => {
        if (error instanceof ConnectionLost) return
        this.context.log.warn('A pause could not be followed.', { ...this.name, isPaused, reason: messageOf(error) })
      })
  }

  answer(answerId: string | undefined, answer: unknown): boolean {
    return this.execution?.answer(answerId, answer) ?? false
  }

  /**
   * The attempt no longer belongs to this agent. All its processes are killed, and nothing more is reported. A restarted agent
   * continues this.
   */
  async abandon(): Promise<void> {
    if (this.record.current.phase === 'ABANDONED' || this.record.current.phase === 'SETTLED') return
    if (!this.finished) this.context.log.warn('This job is no longer ours; it is ended.', this.name)
    this.wanted = { outcome: 'CANCELED', graceSeconds: 0 }
    this.disowned.abort()
    if (this.started)
      await this.record
        .write({ phase: 'ABANDONED' })
        .catch((error) =>
          this.context.log.error('A job’s folder can’t be written.', { ...this.name, reason: messageOf(error) }),
        )
    await this.execution?.cancel(this.wanted)
  }

  private async live(): Promise<void> {
    try {
      const result = await this.work().catch((error) => this.endBroken(error))
      if (result) await this.tidy(result)
      this.finished = result !== undefined
      this.performed.resolve()
      if (result) this.context.onEnded(this)
      if (result && !this.disowned.signal.aborted) {
        await this.streams.drain()
        await this.report(result)
      }
      if (result && result.processesLeft > 0 && this.disowned.signal.aborted) await this.reportLeft(result)
    } catch (error) {
      // Only a stop of the agent leaves an attempt unsettled. The next start continues it.
      const { closing } = this.context
      if (error instanceof ConnectionLost && (closing.aborted || !this.disowned.signal.aborted)) return
      this.context.log.error('A job could not be brought to its end.', { ...this.name, reason: messageOf(error) })
    } finally {
      this.performed.resolve()
    }
    this.disowned.abort()
    this.isSettled = await this.record.settle(this.context.closing)
  }

  /** Carries out the attempt. Returns undefined if it did not belong to this agent or was never started. */
  private async work(): Promise<JobResult | undefined> {
    const performed = await this.perform()
    // The artifacts may take hours.
    if (performed && this.kind === 'BUILD') await removeSigningFiles(this.folder)
    const watched = performed && (await this.watched(performed))
    const result = watched && (await this.collect(watched))
    await this.context.skills.worktrees.release(this.folder)
    return result
  }

  /** The result of an attempt after an error of the machine, such as a full disk. @throws ConnectionLost if the agent stops */
  private async endBroken(error: unknown): Promise<JobResult | undefined> {
    if (error instanceof ConnectionLost) throw error
    const { log, skills } = this.context
    const reason = explainUnwritable(this.folder.path, error, 'The agent could not bring the job to its end')
    log.error(reason.errorMessage, { ...this.name, reason: messageOf(error) })
    this.use?.end()
    await skills.worktrees.release(this.folder).catch(() => {})
    const processesLeft = await endProcesses({ mark: this.folder.mark, groups: new Set() }, () => 0)
    // A failure of the work itself explains more.
    const stored = await readRecord(this.folder, 'result').catch(() => undefined)
    return stored === undefined || stored.outcome === 'SUCCEEDED'
      ? { outcome: 'FAILED', ...reason, processesLeft }
      : { ...stored, processesLeft }
  }

  /** Whether it is the job of a run, and not of a worktree. */
  private get isRun(): boolean {
    return this.kind === 'COMMANDS' || this.kind === 'AI'
  }

  /**
   * Adds the changes of the worktree to the run’s events. A PLAN run that has made some has failed, unless another job used the worktree
   * meanwhile.
   */
  private async watched(result: JobResult): Promise<JobResult> {
    const isAlone = this.use?.isAlone ?? false
    this.use?.end()
    await endChanges(this.folder, { isAlone, isCanceled: this.wanted !== undefined }, this.context.log)
    return isAlone ? await endPlanWatch(this.folder, result, this.context.log) : result
  }

  /** Reads the coverage of a build and stores the files that it keeps. If the build is canceled meanwhile, it ends so. */
  private async collect(result: JobResult): Promise<JobResult> {
    if (this.kind !== 'BUILD' || result.refused || this.record.current.spec === undefined) return result
    const { uplink, credentials, closing, setup } = this.context
    const signal = AbortSignal.any([this.disowned.signal, this.collecting.signal, closing])
    const spec = readSpec(BuildSpec, this.record.current.spec)
    try {
      const { roots } = setup
      return await collectFiles(result, { folder: this.folder, spec, roots, uplink, credentials, signal })
    } catch (error) {
      if (this.disowned.signal.aborted) return result
      if (closing.aborted) throw new ConnectionLost('The agent stops; the upload goes on later.')
      if (this.wanted === undefined) throw error
      const { outcome, errorCode, errorMessage } = this.wanted
      return { ...result, outcome, collected: true, errorCode, errorMessage }
    }
  }

  /** @throws Refusal; ConnectionLost if the agent stops */
  private async prepareDeploy(accepted: AcceptPayload): Promise<void> {
    const { uplink, credentials, closing } = this.context
    const signal = AbortSignal.any([this.disowned.signal, this.collecting.signal, closing])
    await prepareDeploy(accepted, { folder: this.folder, uplink, credentials, signal })
    if (closing.aborted) throw new ConnectionLost('The agent stops; the download goes on later.')
  }

  /** Whether it builds a commit, in a checkout of its own. */
  private get hasCheckout(): boolean {
    const { spec } = this.record.current
    return this.kind === 'BUILD' && spec !== undefined && readSpec(BuildSpec, spec).source === undefined
  }

  private useWorktree(): void {
    const { worktreePath } = placeOf(this.record.current.spec)
    if (worktreePath !== undefined && !this.hasCheckout) this.use = this.context.worktrees.begin(worktreePath)
  }

  /** Removes an unfinished worktree or the checkout of a build, whether or not the result can still be reported. */
  private async tidy({ outcome, refused }: JobResult): Promise<void> {
    const { spec } = this.record.current
    const { roots } = this.context.setup
    if (refused || spec === undefined) return
    try {
      if (this.hasCheckout) await removeCheckout(readSpec(BuildSpec, spec), this.folder, roots)
      else if (this.kind === 'CREATE_WORKTREE' && outcome !== 'SUCCEEDED')
        await removeUnfinished(readSpec(CreateWorktreeSpec, spec), this.folder, roots)
    } catch (error) {
      const reason = messageOf(error)
      this.context.log.warn('A worktree of a job could not be removed.', { ...this.name, reason })
    }
  }

  /** Returns undefined if the attempt did not belong to this agent or was never started. */
  private async perform(): Promise<JobResult | undefined> {
    if (this.started) this.useWorktree()
    const result = await readRecord(this.folder, 'result')
    if (result) return result
    if (await readRecord(this.folder, 'started')) {
      if (this.record.current.mode === 'CONVERSATION') return endLeftConversation(this.folder)
      return this.until(takeUpSupervised(this.folder, this.context.closing))
    }
    if (this.record.current.phase === 'ABANDONED') return undefined
    const accepted = await this.accept()
    if (accepted) return this.begin(accepted)
    // Canceled before it was accepted. The control plane waits for the report that nothing runs.
    return this.wanted && !this.disowned.signal.aborted
      ? this.endUnstarted({ ...this.wanted, processesLeft: 0 })
      : undefined
  }

  private async accept(): Promise<AcceptPayload | undefined> {
    try {
      const { jobId, attempt } = this.folder
      return await this.context.uplink.ask(
        acceptJob,
        { jobId, attempt, takesSigningAssets: true, buildsWorktrees: true },
        this.disowned.signal,
      )
    } catch (error) {
      if (this.disowned.signal.aborted) return undefined
      if (error instanceof ConnectionLost) throw error
      this.context.log.warn('The job could not be accepted.', { ...this.name, reason: messageOf(error) })
      return undefined
    }
  }

  private async begin(accepted: AcceptPayload): Promise<JobResult | undefined> {
    const launched = await this.launch(accepted)
    return launched && 'ended' in launched ? this.until(launched) : launched
  }

  /** Starts the attempt, or returns its result if it ended at once. Returns undefined if it no longer belongs to this agent. */
  private async launch(accepted: AcceptPayload): Promise<Execution | JobResult | undefined> {
    const { log, setup, uplink, entry, closing } = this.context
    try {
      if (this.kind === 'DIFF_IMAGE') return await this.sendImage(accepted)
      const plan = await planJob(accepted, this.folder, setup)
      if (this.disowned.signal.aborted) return undefined
      await this.record.write({ phase: 'ACCEPTED', mode: plan.mode, spec: accepted.job.spec })
      await downloadAttachments(accepted, this.folder.path, this.disowned.signal)
      if (this.kind === 'DEPLOY') await this.prepareDeploy(accepted)
      if (this.kind === 'BUILD') await writeSigningFiles(accepted.signingAssets, this.folder)
      const skills = await loadSkills(accepted, this.context.skills, this.disowned.signal)
      if (this.wanted) return await this.endUnstarted({ ...this.wanted, processesLeft: 0 })
      this.useWorktree()
      if (plan.cli !== undefined) {
        const worktree = plan.mode === 'CONVERSATION' ? plan.spec.worktreePath : plan.run.cwd
        await placeSkills(this.folder, worktree, plan.cli, skills, this.context.skills)
      }
      const { mode, worktreePath } = placeOf(accepted.job.spec)
      if (mode === 'PLAN' && worktreePath !== undefined) await beginPlanWatch(this.folder, worktreePath, log)
      if (this.isRun && worktreePath !== undefined) await beginChanges(this.folder, worktreePath, log)
      log.info('A job starts.', { ...this.name, kind: this.kind })
      if (plan.mode === 'SUPERVISED') return await startSupervised(this.folder, plan, entry, closing)
      return await startConversation(this.folder, plan, uplink, this.disowned.signal, this.streams.conversation)
    } catch (error) {
      if (error instanceof ConnectionLost) throw error
      if (!(error instanceof Refusal)) return this.fail(error)
      log.warn('A job is refused.', { ...this.name, code: error.code, reason: error.message })
      const { code: errorCode, message: errorMessage } = error
      return this.endUnstarted({ outcome: 'FAILED', errorCode, errorMessage, processesLeft: 0, refused: true })
    }
  }

  /** Reads an image of a worktree, and sends it. An agent that restarts meanwhile begins again. */
  private async sendImage({ job }: AcceptPayload): Promise<JobResult> {
    const { uplink, credentials, closing, setup } = this.context
    const signal = AbortSignal.any([this.disowned.signal, this.collecting.signal, closing])
    try {
      const result = await sendDiffImage(job.spec, { roots: setup.roots, uplink, credentials, signal })
      return { outcome: 'SUCCEEDED', processesLeft: 0, result, concluded: true }
    } catch (error) {
      if (closing.aborted) throw new ConnectionLost('The agent stops.')
      if (this.wanted === undefined) throw error
      return await this.endUnstarted({ ...this.wanted, processesLeft: 0 })
    }
  }

  private async endUnstarted({ outcome, errorCode, errorMessage, ...rest }: JobResult): Promise<JobResult> {
    const { processesLeft, refused } = rest
    const result: JobResult = { outcome, errorCode, errorMessage, processesLeft, refused }
    await writeRecord(this.folder, 'result', result)
    return result
  }

  /** An error of the machine, such as a full disk. The control plane receives the result even if it cannot be written to disk. */
  private async fail(error: unknown): Promise<JobResult> {
    const reason = explainUnwritable(this.folder.path, error, 'The agent could not start the job')
    const result = { outcome: 'FAILED', ...reason, processesLeft: 0 } as const
    this.context.log.error(reason.errorMessage, this.name)
    return this.endUnstarted(result).catch(() => result)
  }

  private async until(execution: Execution): Promise<JobResult> {
    this.execution = execution
    const wanted =
      this.record.current.phase === 'ABANDONED' ? ({ outcome: 'CANCELED', graceSeconds: 0 } as const) : this.wanted
    if (wanted) await execution.cancel(wanted)
    else if (this.isPauseWanted !== undefined) this.setPaused(this.isPauseWanted)
    if (this.kind === 'BUILD' || this.kind === 'DEPLOY') this.follow(execution)
    return execution.ended
  }

  private follow({ ended }: Execution): void {
    const { uplink, log } = this.context
    const over = new AbortController()
    void ended.catch(() => {}).then(() => over.abort())
    const report = this.kind === 'BUILD' ? reportBuilding : followDeploy
    void report(this.folder, uplink, AbortSignal.any([over.signal, this.disowned.signal]), log)
  }

  private async report(result: JobResult): Promise<void> {
    const { uplink, setup, log } = this.context
    try {
      const spec = this.record.current.spec
      await reportResult(uplink, this.folder, { kind: this.kind, spec, result, setup }, this.disowned.signal)
      log.info('A job is done.', { ...this.name, outcome: result.outcome, errorCode: result.errorCode })
    } catch (error) {
      if (error instanceof ConnectionLost && !this.disowned.signal.aborted) throw error
      if (error instanceof ControlPlaneError) {
        log.warn('The control plane did not take a result.', { ...this.name, code: error.code, reason: error.message })
      }
    }
  }

  /**
   * The control plane has given up the attempt, and holds the slot of its run until this agent confirms that no process is left. Without this
   * report, it would conclude that from the job's absence.
   */
  private async reportLeft({ processesLeft }: JobResult): Promise<void> {
    const { uplink, closing, log } = this.context
    const { jobId, attempt } = this.folder
    const { chunks: logChunks, sha256: logSha256 } = await digest(this.folder.output)
    log.warn('Processes of a job could not be ended.', { ...this.name, processesLeft })
    try {
      await uplink.ask(
        completeJob,
        { jobId, attempt, outcome: 'CANCELED', processesLeft, logChunks, logSha256 },
        closing,
      )
    } catch (error) {
      if (!(error instanceof ControlPlaneError)) throw error
      log.warn('The control plane did not take a result.', { ...this.name, code: error.code, reason: error.message })
    }
  }
}

/** The worktree of a job that has one, and the mode of a run. `planJob` has checked their types. */
function placeOf(spec: unknown): {
  readonly worktreePath?: string
  readonly mode?: string
} {
  return Object(spec)
}
