import { passwordsOf, removeSigningFiles } from '../builds/signingFiles.ts'
import { Concealer } from '../concealed.ts'
import { SpoolWriter } from '../connection/spool.ts'
import { type CancelRecord, folderAt, type JobResult, type RunPlan, readRecord, recordPath } from '../jobs/folder.ts'
import { Countdown } from '../system/countdown.ts'
import { outputVariable, tokenVariable } from '../system/environment.ts'
import { createOnce, writeJson } from '../system/files.ts'
import { identify } from '../system/identity.ts'
import { endProcesses } from '../system/processes.ts'
import { explainUnwritable, unwritableGraceSeconds } from '../system/unwritable.ts'
import { deferred, within } from '../wait.ts'
import { Collector } from './collector.ts'
import { addOutputs, createOutputs } from './outputs.ts'
import { Pause, pauseSignal } from './pause.ts'
import { type StepEnd, startStep } from './step.ts'

/** Seconds between the request to end and the kill of processes: after a timeout, and for processes that a finished run left. */
const timeoutGraceSeconds = 10
const leftoverGraceSeconds = 2
const oneDayMs = 86_400_000

/**
 * The supervisor: a separate process that outlives the agent. It runs the commands of one attempt, spools their output, ends the
 * processes that they leave, and writes the result last. If an attempt has several supervisors, only the first one has an effect.
 */
export async function supervise(path: string): Promise<void> {
  // While it is paused before a command, there is no timer and no child, and Node would end the process.
  const runs = setInterval(() => {}, oneDayMs)
  try {
    await superviseAttempt(path)
  } finally {
    clearInterval(runs)
  }
}

async function superviseAttempt(path: string): Promise<void> {
  const job = await readRecord({ path }, 'job')
  const plan = await readRecord({ path }, 'run')
  const self = await identify(process.pid)
  if (!job || !plan || !self) throw new Error(`There is no attempt to supervise in ${path}.`)
  const folder = folderAt(path, job.jobId, job.attempt)

  const interruption = new Interruption(() => readRecord(folder, 'cancel'))
  process.on('SIGTERM', () => void interruption.look())
  const processes = { mark: plan.mark, groups: new Set<number>() }
  const countdown = new Countdown(plan.timeoutSeconds * 1000, () => interruption.timeOut())
  const pause = new Pause(folder, processes, countdown)
  process.on(pauseSignal, () => void pause.look())
  // These signals are for the agent that shares the terminal, or for a session that ended. The run continues.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  if (!(await createOnce(recordPath(folder, 'started'), self))) return countdown.stop()
  // A cancel or a pause that arrived before started.json could not be signaled.
  await interruption.look()
  await pause.look()

  const concealer = new Concealer(process.env[tokenVariable], passwordsOf(process.env))
  const onFailure = (error: unknown) => {
    const reason = explainUnwritable(path, error, 'The output could not be stored')
    interruption.end({ outcome: 'FAILED', ...reason, graceSeconds: unwritableGraceSeconds })
  }
  const log = new Collector(new SpoolWriter(folder.output, { onFailure }), concealer)
  const outputs = job.kind === 'COMMANDS' ? folder.outputs : undefined
  if (outputs !== undefined) await createOutputs(outputs)
  const result = await run({ plan, outputs, processes, countdown, pause, interruption, log, concealer })
  // Also if no agent runs any more.
  await removeSigningFiles(folder)
  await writeJson(recordPath(folder, 'result'), result)
}

interface Supervised {
  readonly plan: RunPlan
  /** The file for the outputs of a command. Undefined for other jobs. */
  readonly outputs: string | undefined
  readonly processes: { readonly mark: string; readonly groups: Set<number> }
  readonly countdown: Countdown
  readonly pause: Pause
  readonly interruption: Interruption
  readonly log: Collector
  readonly concealer: Concealer
}

async function run(supervised: Supervised): Promise<JobResult> {
  const { plan, outputs, processes, countdown, interruption, log, concealer } = supervised
  const drained: Promise<void>[] = []
  const finished = runSteps(supervised, drained)
  await Promise.race([finished, interruption.happened])
  countdown.stop()

  if (interruption.cause) log.system(interruption.sentence(plan.timeoutSeconds))
  const leftoverUntil = performance.now() + leftoverGraceSeconds * 1000
  const graceUntil = () => (interruption.cause ? interruption.killAt : leftoverUntil)
  const processesLeft = await endProcesses(processes, graceUntil)
  const end = await within(1_000, finished)
  // All writers have ended, so the pipes close. The limit is for processes that could not be killed.
  await within(2_000, Promise.all(drained))
  const ended = toResult(end, interruption, plan, processesLeft)
  if (!interruption.cause && end?.error === undefined && ended.errorMessage) log.system(ended.errorMessage)
  const { result, problem } = outputs === undefined ? { result: ended } : await addOutputs(ended, outputs, concealer)
  if (problem !== undefined) log.system(problem)
  log.close()
  // The last output could not be stored.
  const isCut = interruption.cause !== undefined && result.outcome === 'SUCCEEDED'
  return isCut ? toResult(end, interruption, plan, processesLeft) : result
}

async function runSteps(
  { plan, outputs, processes, pause, interruption, log }: Supervised,
  drained: Promise<void>[],
): Promise<StepEnd> {
  const variables = outputs === undefined ? {} : { [outputVariable]: outputs }
  let end: StepEnd = { step: undefined, exitCode: 0, signal: undefined, error: undefined }
  for (const step of plan.steps) {
    await Promise.race([pause.over, interruption.happened])
    if (interruption.cause) return end
    log.system(`▶ ${step.name}`)
    const started = startStep(step, plan, variables, log)
    if (started.group !== undefined) processes.groups.add(started.group)
    drained.push(started.drained)
    end = await started.ended
    // The last output of a command step comes before the next heading, unless a child process keeps the pipe open.
    await within(100, started.drained)
    if (end.error !== undefined || end.exitCode !== 0) return end
  }
  return end
}

function toResult(
  end: StepEnd | undefined,
  interruption: Interruption,
  plan: RunPlan,
  processesLeft: number,
): JobResult {
  const exit = {
    ...(end?.exitCode === undefined ? {} : { exitCode: end.exitCode }),
    ...(end?.signal === undefined ? {} : { signal: end.signal }),
    processesLeft,
  }
  const { cause } = interruption
  if (cause === 'TIMED_OUT') {
    // If there are several command steps, the message contains the one that took too long.
    const during = plan.steps.length > 1 && end?.step ? ` Step “${end.step.name}” was active.` : ''
    const errorMessage = `${interruption.sentence(plan.timeoutSeconds)}${during}`
    return { outcome: 'TIMED_OUT', ...exit, errorCode: 'TIMED_OUT', errorMessage }
  }
  if (cause) {
    const { outcome, errorCode, errorMessage } = cause
    return { outcome, ...exit, ...(errorCode ? { errorCode } : {}), ...(errorMessage ? { errorMessage } : {}) }
  }
  if (end?.error !== undefined) {
    return { outcome: 'FAILED', ...exit, errorCode: 'START_FAILED', errorMessage: end.error }
  }
  if (end?.exitCode === 0) return { outcome: 'SUCCEEDED', ...exit }
  const how = end?.signal ? `was ended by ${end.signal}` : `ended with exit code ${end?.exitCode}`
  const errorCode = end?.step?.failureCode ?? 'STEP_FAILED'
  return { outcome: 'FAILED', ...exit, errorCode, errorMessage: `Step “${end?.step?.name}” ${how}.` }
}

/** Why the run ends early, if it does. The first cause is kept. A later cancel can only shorten the grace. */
class Interruption {
  cause: CancelRecord | 'TIMED_OUT' | undefined
  /** When the remaining processes are killed, in milliseconds of `performance.now()`. */
  killAt = Number.POSITIVE_INFINITY
  private readonly read: () => Promise<CancelRecord | undefined>
  private readonly first = deferred()

  constructor(read: () => Promise<CancelRecord | undefined>) {
    this.read = read
  }

  get happened(): Promise<void> {
    return this.first.promise
  }

  /** Checks for a cancel. A SIGTERM without one is ignored: the machine may be shutting down. */
  async look(): Promise<void> {
    const cancel = await this.read().catch(() => undefined)
    if (cancel) this.end(cancel)
  }

  end(cancel: CancelRecord): void {
    this.interrupt(cancel, cancel.graceSeconds)
  }

  timeOut(): void {
    this.interrupt('TIMED_OUT', timeoutGraceSeconds)
  }

  sentence(timeoutSeconds: number): string {
    if (this.cause === 'TIMED_OUT') return `Timed out after ${timeoutSeconds} seconds.`
    return this.cause?.errorMessage ?? 'Canceled.'
  }

  private interrupt(cause: CancelRecord | 'TIMED_OUT', graceSeconds: number): void {
    this.cause ??= cause
    this.killAt = Math.min(this.killAt, performance.now() + graceSeconds * 1000)
    this.first.resolve()
  }
}
