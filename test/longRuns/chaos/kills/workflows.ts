/** The workflows of one writer, their runs, and the decisions of their approvals. */
import { stepIdOf } from '../../../../machines/work/steps/stepKeys.ts'
import type { Random } from '../random.ts'
import type { Asked } from './seen.ts'
import {
  makeInnerShape,
  makeShape,
  type PieceName,
  pieceNames,
  type WorkflowShape,
  workflowInputs,
} from './workflowShapes.ts'

type AskWorkflow = (
  name:
    | 'createWorkflow'
    | 'publishWorkflow'
    | 'startWorkflow'
    | 'retryRun'
    | 'decideApproval'
    | 'pauseRun'
    | 'resumeRun'
    | 'cancelRun',
  input: Readonly<Record<string, unknown>>,
  keyed: boolean,
) => Promise<Asked>

export interface WorkflowsOptions {
  readonly ask: AskWorkflow
  readonly random: Random
  /** Begins the names of the commands and starts, which no other writer uses. */
  readonly name: string
  readonly worktreeIds: readonly string[]
  /** The shell command of a step. */
  script(step: string, isUnreliable: boolean): string
  /** Keeps a run that other requests of the writer can concern. */
  keep(asked: Asked): void
  wait(): Promise<unknown>
}

interface StartedRun {
  readonly runId: string
  readonly shape: WorkflowShape
}

const policies = ['ALLOW_ALL', 'BUFFER_ALL', 'BUFFER_ONE', 'SKIP', 'CANCEL_OTHER', 'TERMINATE_OTHER'] as const
/** A workflow that steps start must not wait for its other runs: those may wait for the slot of the run of the step. */
const innerPolicies = ['ALLOW_ALL', 'SKIP'] as const
const most = 12
/** Writers use only their latest runs, of which some are active. */
const recent = 8

export class Workflows {
  readonly #options: WorkflowsOptions
  readonly #drafts: { readonly id: string; readonly shape: WorkflowShape }[] = []
  readonly #published: { readonly id: string; readonly shape: WorkflowShape }[] = []
  readonly #inner: string[] = []
  readonly #runs: StartedRun[] = []
  /** The APPROVAL steps that were not decided. */
  readonly #approvals: { readonly stepId: string; readonly run: StartedRun }[] = []
  /** The runs that may have a failed step. */
  readonly #retryable: StartedRun[] = []
  /** Each writer uses every kind of piece before it repeats one. */
  readonly #pieces: PieceName[] = []
  #count = 0

  constructor(options: WorkflowsOptions) {
    this.#options = options
  }

  async create(): Promise<void> {
    if (this.#published.length >= most) return
    const { random, name, worktreeIds, ask } = this.#options
    const number = ++this.#count
    const script = (step: string, isUnreliable: boolean) =>
      this.#options.script(`${name}-${number}-${step}`, isUnreliable)
    const isInner = this.#inner.length === 0 || random.next() < 0.2
    const options = { random, script, innerId: random.pick(this.#inner), otherWorktreeId: worktreeIds.at(-1) }
    const { approvals, ...shape } = isInner ? makeInnerShape(options) : makeShape(this.#nextPieces(), options)
    const made = await ask(
      'createWorkflow',
      {
        name: `${name} ${number}`,
        inputs: workflowInputs,
        ...shape,
        exclusiveWorktree: random.next() < 0.4,
        overlapPolicy: random.pick(isInner ? innerPolicies : policies),
        overlapScope: random.pick(['WORKTREE', 'GLOBAL']),
        worktreeConcurrencyLimit: random.whole(0, 2),
        timeoutSeconds: 60,
      },
      true,
    )
    if (made.answer.type !== 'accepted') return
    const workflow = { id: String(made.answer.object.id), shape: { ...shape, approvals } }
    if (!isInner && random.next() < 0.15) {
      this.#drafts.push(workflow)
      return
    }
    await ask('publishWorkflow', { workflowId: workflow.id }, false)
    this.#published.push(workflow)
    if (isInner) this.#inner.push(workflow.id)
  }

  async start(): Promise<void> {
    await this.#start(this.#published)
  }

  /** A workflow that was never published cannot be started. */
  async startDraft(): Promise<void> {
    await this.#start(this.#drafts)
  }

  /** Decides an approval of a recent run, which may not have begun. Some decisions are repeated or contradicted by the next request. */
  async decide(): Promise<void> {
    const { random, ask } = this.#options
    const approval = random.pick(this.#approvals.slice(-recent))
    if (approval === undefined) return
    const { stepId, run } = approval
    const decision = random.next() < 0.65 ? 'APPROVED' : 'REJECTED'
    const { answer } = await ask('decideApproval', { stepId, decision }, false)
    if (answer.type === 'refused' && answer.code === 'NOT_FOUND') return
    this.#approvals.splice(this.#approvals.indexOf(approval), 1)
    const next = random.next()
    if (decision === 'REJECTED' && next < 0.3) await this.#retryLater(run)
    else if (next < 0.3) await ask('decideApproval', { stepId, decision }, false)
    else if (next < 0.5)
      await ask('decideApproval', { stepId, decision: decision === 'APPROVED' ? 'REJECTED' : 'APPROVED' }, false)
  }

  async retry(): Promise<void> {
    // The last one has probably not ended.
    const run = this.#options.random.pick(this.#retryable.slice(-recent, -1))
    if (run !== undefined) await this.#retry(run, this.#options.random.next() < 0.8)
  }

  async pause(): Promise<void> {
    const { random, ask, wait } = this.#options
    const run = random.pick(this.#runs.slice(-4))
    if (run === undefined) return
    await ask('pauseRun', { runId: run.runId }, false)
    await wait()
    await ask('resumeRun', { runId: run.runId }, false)
  }

  async cancel(): Promise<void> {
    const run = this.#options.random.pick(this.#runs.slice(-4))
    if (run === undefined) return
    await this.#options.ask('cancelRun', { runId: run.runId, reason: 'chaos' }, false)
    if (this.#options.random.next() < 0.6) await this.#retryLater(run)
  }

  /** The run ends after a moment, and some of its steps have probably succeeded. */
  async #retryLater(run: StartedRun): Promise<void> {
    await this.#options.wait()
    await this.#retry(run, true)
  }

  async #retry(run: StartedRun, fromFailedStep: boolean): Promise<void> {
    const asked = await this.#options.ask('retryRun', { runId: run.runId, fromFailedStep }, true)
    const { answer } = asked
    const hasSucceeded = answer.type === 'refused' && answer.details.state === undefined
    const index = this.#retryable.indexOf(run)
    if (hasSucceeded && index !== -1) this.#retryable.splice(index, 1)
    this.#keep(asked, run.shape)
  }

  #nextPieces(): readonly PieceName[] {
    if (this.#pieces.length === 0) this.#pieces.push(...this.#options.random.shuffle(pieceNames))
    return this.#pieces.splice(0, 2)
  }

  async #start(workflows: readonly { readonly id: string; readonly shape: WorkflowShape }[]): Promise<void> {
    const { random, ask, worktreeIds, name } = this.#options
    const workflow = random.pick(workflows)
    if (workflow === undefined) return
    const worktreeId = random.pick(worktreeIds)
    const inputs = { start: `${name}-${++this.#count}`, mode: random.pick(['full', 'short']) }
    this.#keep(await ask('startWorkflow', { workflowId: workflow.id, worktreeId, inputs }, true), workflow.shape)
  }

  #keep(asked: Asked, shape: WorkflowShape): void {
    if (asked.answer.type !== 'accepted') return
    const run = { runId: String(asked.answer.object.id), shape }
    this.#runs.push(run)
    this.#retryable.push(run)
    this.#approvals.push(...shape.approvals.map((index) => ({ stepId: stepIdOf(run.runId, index), run })))
    this.#options.keep(asked)
  }
}
