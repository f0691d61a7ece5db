import { type ChildProcess, spawn } from 'node:child_process'
import { Readable, Writable } from 'node:stream'
import {
  type ClientConnection,
  client,
  methods,
  ndJsonStream,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk'
import { Concealer } from '../concealed.ts'
import { SpoolWriter } from '../connection/spool.ts'
import type { Uplink } from '../connection/uplink.ts'
import type { Execution } from '../jobs/execution.ts'
import {
  type CancelRecord,
  type JobFolder,
  type JobResult,
  readRecord,
  recordPath,
  writeRecord,
} from '../jobs/folder.ts'
import type { Plan } from '../jobs/plan.ts'
import { Countdown } from '../system/countdown.ts'
import { childEnvironment } from '../system/environment.ts'
import { createOnce } from '../system/files.ts'
import { bootId, identify } from '../system/identity.ts'
import { continueProcesses, endProcesses, markVariable, stopProcesses } from '../system/processes.ts'
import { explainUnwritable, unwritableGraceSeconds } from '../system/unwritable.ts'
import { deferred, sleep, within } from '../wait.ts'
import type { Opening } from './openSession.ts'
import { answerByPolicy } from './permissionPolicy.ts'
import { PlanGuard } from './planGuard.ts'
import { Questions } from './questions.ts'
import { describeRpcError } from './rpcError.ts'
import { type TalkEnd, talk } from './talk.ts'
import { Transcript } from './transcript.ts'
import { TurnRefused } from './turnRefused.ts'
import { UsageMeter } from './usage.ts'

type ConversationPlan = Extract<Plan, { mode: 'CONVERSATION' }>

/** The reason why the agent ended the turn. */
type Cause = CancelRecord | 'TIMED_OUT' | 'PLAN_PRESENTED'

/** The turn did not reach its end. Without a code, the CLI failed. */
interface Broken {
  readonly error: string
  readonly code?: string
}

/** Milliseconds to wait for the CLI to exit after its input is closed. */
const leaveMs = 1_000
/** Milliseconds to wait for the response to `session/cancel`. */
const cancelMs = 3_000
/**
 * Milliseconds from the end of a turn of the conversation until the input of the CLI is closed. Some CLIs store their last reply only
 * after they have sent it, and lose it if they have to end at once (Qwen Code 0.15). A follow-up would continue without it.
 */
const storeMs = 250
const timeoutGraceSeconds = 10

/** The spools of a job, on their way to the control plane. */
export interface ConversationOutput {
  /** A spool has grown. */
  notify(): void
  /** Resolves when the control plane has the events that were written until now. */
  untilEventsStored(): Promise<void>
}

/**
 * Starts the CLI as a child of this process, since its input and output are the conversation. `started.json` identifies this process.
 * If a later process finds it, the conversation has ended with the process.
 */
export async function startConversation(
  folder: JobFolder,
  plan: ConversationPlan,
  uplink: Uplink,
  signal: AbortSignal,
  output: ConversationOutput,
): Promise<Execution> {
  await createOnce(recordPath(folder, 'started'), await identify(process.pid))
  return new Conversation(folder, plan, uplink, signal, output)
}

/** Ends the processes that a conversation of a former agent process left, and writes the result. */
export async function endLeftConversation(folder: JobFolder): Promise<JobResult> {
  const holder = await readRecord(folder, 'started')
  const rebooted = holder !== undefined && holder.bootId !== (await bootId())
  const processesLeft = await endProcesses({ mark: folder.mark, groups: new Set() }, () => 0)
  const errorCode = rebooted ? 'MACHINE_REBOOTED' : 'AGENT_RESTARTED'
  const errorMessage = `The ${rebooted ? 'machine' : 'agent'} was restarted during the conversation. A follow-up can continue it.`
  const log = new SpoolWriter(folder.output)
  log.write('SYSTEM', Buffer.from(`${errorMessage}\n`))
  log.close()
  const conversation = await readRecord(folder, 'conversation')
  const report = { conversation: null, opening: null, ...conversation, stopReason: null, text: null }
  const result: JobResult = { outcome: 'FAILED', errorCode, errorMessage, processesLeft, result: report }
  await writeRecord(folder, 'result', result).catch(() => {})
  return result
}

class Conversation implements Execution {
  readonly ended: Promise<JobResult>
  private readonly folder: JobFolder
  private readonly plan: ConversationPlan
  private readonly concealer: Concealer
  private readonly transcript: Transcript
  private readonly questions: Questions
  private readonly planGuard: PlanGuard | undefined
  private readonly countdown: Countdown
  private readonly interrupted = deferred()
  private cause: Cause | undefined
  private killAt = Number.POSITIVE_INFINITY
  /** The end of a conversation that could not be stored. */
  private unwritable: Pick<CancelRecord, 'outcome' | 'errorCode' | 'errorMessage'> | undefined
  private session: { readonly id: string; readonly opening: Opening } | undefined
  private replaying = false
  private isPaused = false
  private readonly usage = new UsageMeter()
  private readonly processes: { readonly mark: string; readonly groups: Set<number> }

  constructor(
    folder: JobFolder,
    plan: ConversationPlan,
    uplink: Uplink,
    signal: AbortSignal,
    output: ConversationOutput,
  ) {
    this.folder = folder
    this.plan = plan
    this.processes = { mark: folder.mark, groups: new Set() }
    this.concealer = new Concealer(plan.mcp?.token)
    this.transcript = new Transcript(
      folder,
      this.concealer,
      () => output.notify(),
      (error) => this.fail(error),
    )
    this.countdown = new Countdown(plan.spec.timeoutSeconds * 1000, () =>
      this.interrupt('TIMED_OUT', timeoutGraceSeconds),
    )
    this.questions = new Questions({
      attempt: folder,
      uplink,
      signal,
      transcript: this.transcript,
      untilStored: () => output.untilEventsStored(),
      // The run's timeout is paused while it waits for a person.
      onWaiting: (waiting) => (waiting ? this.countdown.hold('QUESTION') : this.countdown.release('QUESTION')),
    })
    if (plan.spec.mode === 'PLAN')
      this.planGuard = new PlanGuard(this.transcript, () => {
        // After the rejection has been sent.
        setImmediate(() => this.interrupt('PLAN_PRESENTED', timeoutGraceSeconds))
      })
    this.ended = this.run()
  }

  async cancel(cancel: CancelRecord): Promise<void> {
    this.interrupt(cancel, cancel.graceSeconds)
  }

  async setPaused(isPaused: boolean): Promise<boolean> {
    if (this.cause) return false
    this.isPaused = isPaused
    if (isPaused) {
      this.countdown.hold('PAUSE')
      await stopProcesses(this.processes)
    } else {
      await continueProcesses(this.processes)
      this.countdown.release('PAUSE')
    }
    return true
  }

  answer(answerId: string | undefined, answer: unknown): boolean {
    return this.questions.answer(answerId, answer)
  }

  /** The folder of the job cannot be written. */
  private fail(error: unknown): void {
    const reason = explainUnwritable(this.folder.path, error, 'The conversation could not be stored')
    this.unwritable ??= { outcome: 'FAILED', ...reason }
    this.interrupt({ ...this.unwritable, graceSeconds: unwritableGraceSeconds }, unwritableGraceSeconds)
  }

  private interrupt(cause: Cause, graceSeconds: number): void {
    this.cause ??= cause
    this.killAt = Math.min(this.killAt, performance.now() + graceSeconds * 1000)
    // A paused CLI cannot follow the request to end. If it cannot continue, it is killed later.
    if (this.isPaused) continueProcesses(this.processes).catch(() => {})
    this.interrupted.resolve()
  }

  private async run(): Promise<JobResult> {
    const child = this.startCli()
    const connection = this.connect(child)
    const ending = this.converse(child, connection)
    await Promise.race([ending, this.interrupted.promise])
    if (this.cause) await this.askToStop(connection, ending)
    // The outcome counts only if it was complete before any process was killed.
    const outcome = await within(0, ending)
    const processesLeft = await this.endCli(child, connection)
    this.countdown.stop()
    const result = this.concealer.value({ ...this.toResult(outcome), processesLeft })
    if (result.errorMessage) this.transcript.system(result.errorMessage)
    this.transcript.close()
    if (this.unwritable !== undefined && result.outcome === 'SUCCEEDED') Object.assign(result, this.unwritable)
    const stopReason = outcome && 'stopReason' in outcome ? outcome.stopReason : null
    const { id = null, opening = null } = this.session ?? {}
    const report = { conversation: id, opening, stopReason, text: this.transcript.answer }
    const usage = this.usage.total
    const full = { ...result, result: { ...report, ...(usage === undefined ? {} : { usage }) } }
    // On a full disk it is reported from memory.
    await writeRecord(this.folder, 'result', full).catch(() => {})
    return full
  }

  private startCli() {
    const child = spawn('sh', ['-c', this.plan.cli.command], {
      cwd: this.plan.spec.worktreePath,
      env: { ...childEnvironment(process.env), PWD: this.plan.spec.worktreePath, [markVariable]: this.folder.mark },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    if (child.pid !== undefined) this.processes.groups.add(child.pid)
    child.stderr.on('data', (data: Buffer) => this.transcript.stderr(data))
    // A CLI that exits closes its pipes. The exit event reports the end, so errors of the pipes are ignored.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {})
    return child
  }

  private connect(child: ReturnType<Conversation['startCli']>): ClientConnection {
    const output = Writable.toWeb(child.stdin) as WritableStream<Uint8Array>
    const input = Readable.toWeb(child.stdout) as unknown as ReadableStream<Uint8Array>
    return client({ name: 'signalbox-agent' })
      .onNotification(methods.client.session.update, ({ params }) => {
        this.usage.update(params.update, this.replaying)
        if (!this.replaying) this.transcript.update(params.update)
      })
      .onRequest(methods.client.session.requestPermission, ({ params }) =>
        this.decidePermission(this.concealer.value(params)),
      )
      .connect(ndJsonStream(output, input))
  }

  private decidePermission(
    request: RequestPermissionRequest,
  ): RequestPermissionResponse | Promise<RequestPermissionResponse> {
    this.transcript.toolCall(request.toolCall)
    return (
      this.planGuard?.reject(request) ??
      answerByPolicy(request, this.plan.spec.permissions, this.transcript) ??
      this.questions.askPermission(request)
    )
  }

  private async converse(child: ChildProcess, { agent }: ClientConnection): Promise<TalkEnd | Broken> {
    const gone = new Promise<Broken>((resolve) => {
      child.once('error', (error) => resolve({ error: error.message }))
      child.once('exit', (code, signal) => resolve({ error: `it ended by itself (${signal ?? `exit code ${code}`})` }))
    })
    const talking = talk({
      ...this.plan,
      agent,
      transcript: this.transcript,
      questions: this.questions,
      planGuard: this.planGuard,
      usage: this.usage,
      onSession: async (id, opening) => {
        this.session = { id, opening }
        await writeRecord(this.folder, 'conversation', { conversation: id, opening }).catch((error) => this.fail(error))
      },
      replaying: (on) => (this.replaying = on),
    }).catch(async (error) => {
      if (error instanceof TurnRefused) return { error: error.message, code: error.code }
      // The exit of the process explains more than the broken pipe that it causes.
      const ended = await within(200, gone)
      return ended ?? { error: describeRpcError(error) }
    })
    return Promise.race([talking, gone.then((ended) => sleep(500).then(() => ended))])
  }

  private async askToStop({ agent }: ClientConnection, ending: Promise<unknown>): Promise<void> {
    this.questions.cancelAll()
    if (this.session === undefined) return
    await agent.notify(methods.agent.session.cancel, { sessionId: this.session.id }).catch(() => {})
    const patience = Math.max(0, Math.min(cancelMs, (this.killAt - performance.now()) / 2))
    await within(patience, ending)
  }

  private async endCli(child: ReturnType<Conversation['startCli']>, connection: ClientConnection): Promise<number> {
    const left = child.exitCode !== null || child.signalCode !== null || child.pid === undefined
    const exit = left ? Promise.resolve() : new Promise<void>((resolve) => child.once('exit', () => resolve()))
    await within(Math.max(0, Math.min(storeMs, this.killAt - performance.now())), exit)
    connection.close()
    child.stdin.destroy()
    if (!this.cause) await within(leaveMs, exit)
    const politeUntil = performance.now() + 2 * leaveMs
    return endProcesses(this.processes, () => (this.cause ? this.killAt : politeUntil))
  }

  private toResult(ending: TalkEnd | Broken | undefined): Omit<JobResult, 'processesLeft'> {
    const { cause } = this
    if (cause === 'TIMED_OUT') {
      const errorMessage = `Timed out after ${this.plan.spec.timeoutSeconds} seconds.`
      return { outcome: 'TIMED_OUT', errorCode: 'TIMED_OUT', errorMessage }
    }
    if (cause === 'PLAN_PRESENTED') return { outcome: 'SUCCEEDED' }
    if (cause) return { outcome: cause.outcome, errorCode: cause.errorCode, errorMessage: cause.errorMessage }
    if (ending && 'stopReason' in ending) {
      if (ending.stopReason === 'end_turn') return { outcome: 'SUCCEEDED' }
      const errorMessage = `The CLI stopped before it was done: ${ending.stopReason}.`
      return { outcome: 'FAILED', errorCode: 'AI_STOPPED', errorMessage }
    }
    if (ending?.code !== undefined) return { outcome: 'FAILED', errorCode: ending.code, errorMessage: ending.error }
    const reason = (ending?.error ?? 'it stopped without a response').replace(/\.$/, '')
    const errorMessage = `The CLI ${this.plan.cli.name} failed: ${reason}.`
    return { outcome: 'FAILED', errorCode: 'CLI_FAILED', errorMessage }
  }
}
