/**
 * The runs of workflows in the sound history, on a worktree of their own: one with each kind of step and a second attempt, the run that its
 * WORKFLOW step starts, one that fails, and its restart from the failed step.
 */
import { jobIdOf, stepIdOf } from '../../../../../machines/work/steps/stepKeys.ts'
import { siblingId } from '../../../../../spec/core/ids.ts'
import { readCommand } from '../jobWork.ts'
import type { SeenActor } from '../seen.ts'
import { addActor, addJob, asked, id, type TransitionWords, textOf, type World } from './history.ts'

const worktreeId = id('wt', 2)
export const workflowQueueId = id('que', 2)
/** The workflows: of the first run, of the run that its step starts, and of the failed run. */
const workflowIds = { all: id('wfl', 1), inner: id('wfl', 2), failing: id('wfl', 3) } as const

/** The runs whose unreliable step fails at its first attempt and succeeds at the next one. */
export const workflowRuns = {
  all: findRun(20),
  inner: id('run', 11),
  failed: id('run', 12),
  restarted: id('run', 13),
} as const

const unreliable = 'sometimes'

/** Which attempts fail follows from the IDs of their jobs. */
function findRun(from: number): string {
  for (let n = from; n < from + 50; n++) {
    const stepId = stepIdOf(id('run', n), 1)
    const codes = [1, 2].map((attempt) => readCommand(textOf('x', 'sometimes'), jobIdOf(stepId, attempt)).code)
    if (codes[0] !== 0 && codes[1] === 0) return id('run', n)
  }
  throw new Error('no run has the wanted attempts')
}

interface HistoryStep {
  readonly name: string
  readonly kind: 'COMMAND' | 'WORKFLOW' | 'APPROVAL'
  /** The exit code of its command. */
  readonly code?: string
  readonly maxAttempts?: number
  /** The step whose output it gets. */
  readonly gets?: string
}

interface HistoryRun {
  readonly runId: string
  readonly ownerId: string
  readonly steps: readonly HistoryStep[]
  readonly output?: string
  readonly start: string
  readonly above?: readonly string[]
  readonly stepId?: string
  readonly retryOf?: string
  readonly reuse?: Readonly<Record<string, { readonly stepId: string; readonly outputs: { readonly token: string } }>>
}

/** Each step needs the one before it. */
function toDefinition({ name, kind, code = '0', maxAttempts = 1, gets }: HistoryStep, before: HistoryStep | undefined) {
  const env = gets === undefined ? [] : [{ name: 'GIVEN', value: `{{steps.${gets}.token}}` }]
  const command = kind === 'COMMAND' ? { script: `sh 'work.sh' 'record' '${textOf(name, code)}'`, env } : null
  const needs = before === undefined ? [] : [before.name]
  return { name, kind, needs, condition: 'SUCCEEDED', onlyIf: null, retry: { maxAttempts }, action: { command } }
}

class WorkflowHistory {
  readonly #world: World
  readonly #queue: TransitionWords[] = [[1, 'create', 'OPEN']]
  #at = 1_000

  constructor(world: World) {
    this.#world = world
  }

  run(options: HistoryRun): string {
    const { runId, ownerId, steps, start, above = [], stepId, retryOf, reuse, output } = options
    const definition = {
      steps: steps.map((step, index) => toDefinition(step, steps[index - 1])),
      outputs: output === undefined ? [] : [{ name: 'token', value: `{{steps.${output}.token}}` }],
    }
    const spec = { definition, inputs: { start, mode: 'full' }, ...(reuse && { reuse }) }
    const more = { ...(stepId && { stepId }), ...(retryOf && { retryOf }) }
    const limit = 1
    const init = { kind: 'WORKFLOW', jobKind: 'STEPS', worktreeId, ownerId, limit, exclusive: false, spec, ...more }
    const created = this.#tick()
    const queued = this.#inQueue('enqueue', { ...this.#entry(runId, above), limit })
    const began: TransitionWords[] = [
      [created, 'create', 'QUEUED'],
      [this.#tick(), 'admit', 'ADMITTED', {}, `${workflowQueueId}:${queued}:0`],
    ]
    const executionId = siblingId('workflowExecution', runId)
    const reports: TransitionWords[] = [[this.#tick(), 'create', 'RUNNING']]
    let status = 'SUCCEEDED'
    const tokens = new Map<string, string>()
    for (const [index, step] of steps.entries()) {
      const cause = `${executionId}:${reports.length}:0`
      const begun = { stepId: stepIdOf(runId, index), runId, above: [...above, runId], cause, start }
      const kept = reuse?.[step.name]
      const given = step.gets === undefined ? '' : (tokens.get(step.gets) ?? '')
      const ended =
        kept === undefined ? this.#step(step, begun, given) : this.#kept(begun, kept.stepId, kept.outputs.token)
      if (ended.token !== undefined) {
        tokens.set(step.name, ended.token)
        this.#world.stepOutputs.set(begun.stepId, { token: ended.token })
      }
      status = ended.status
      reports.push([this.#tick(), 'stepChanged', 'RUNNING', { name: step.name, status }])
    }
    reports.push([this.#tick(), 'end', status])
    addActor(this.#world, 'workflowExecution', executionId, { runId }, {}, reports)
    addActor(this.#world, 'run', runId, { ...init, createdAt: created } as SeenActor['init'], { problem: null }, [
      ...began,
      [this.#tick(), 'jobEnded', status],
    ])
    this.#inQueue('ended', { runId })
    this.#inQueue('settled', { runId })
    return tokens.get(output ?? '') ?? ''
  }

  end(): void {
    addActor(this.#world, 'worktreeQueue', workflowQueueId, { worktreeId }, { held: { WORKFLOW: 0 } }, this.#queue)
  }

  #step(step: HistoryStep, begun: BegunStep, given: string): EndedStep {
    if (step.kind === 'COMMAND') return this.#command(step, begun, given)
    if (step.kind === 'WORKFLOW') return this.#workflow(begun)
    const { stepId, runId, cause } = begun
    const at = this.#tick()
    const context = { attempt: 1, approval: { decision: 'APPROVED', by: 'key' } }
    addActor(this.#world, 'workflowStep', stepId, { place: { runId }, begin: { type: 'start' } }, context, [
      [at, 'create', 'WAITING_FOR_APPROVAL', {}, cause],
      [this.#tick(), 'decide', 'SUCCEEDED'],
    ])
    const answer = { type: 'accepted', object: { id: stepId } } as const
    this.#world.asked.push(asked('decideApproval', { stepId, decision: 'APPROVED' }, answer, at))
    return { status: 'SUCCEEDED' }
  }

  #command({ name, code = '0', maxAttempts = 1 }: HistoryStep, begun: BegunStep, given: string): EndedStep {
    const { stepId, runId, above, cause } = begun
    const created = this.#tick()
    const queued = this.#inQueue('enqueue', this.#entry(stepId, above))
    const words: TransitionWords[] = [
      [created, 'create', 'QUEUED', {}, cause],
      [this.#tick(), 'admit', 'RUNNING', {}, `${workflowQueueId}:${queued}:0`],
    ]
    let status = 'FAILED'
    let attempt = 0
    while (status === 'FAILED' && attempt < maxAttempts) {
      const jobId = jobIdOf(stepId, ++attempt)
      status = readCommand(textOf(name, code), jobId).code === 0 ? 'SUCCEEDED' : 'FAILED'
      const init = { owner: { kind: 'workflowStep', id: stepId } }
      addJob(this.#world, jobId, { init, step: name, began: this.#tick(), ended: this.#tick(), status, given })
      this.#inQueue('settled', { runId: stepId })
      words.push([this.#tick(), 'jobEnded', status === 'FAILED' && attempt < maxAttempts ? 'WAITING_TO_RETRY' : status])
    }
    const init = { place: { runId }, begin: { type: 'start' } }
    addActor(this.#world, 'workflowStep', stepId, init, { attempt }, words)
    this.#inQueue('ended', { runId: stepId, jobs: attempt })
    return { status, ...(status === 'SUCCEEDED' && { token: `${jobIdOf(stepId, attempt)}.1/${name}` }) }
  }

  #workflow({ stepId, runId, above, cause, start }: BegunStep): EndedStep {
    const inner = workflowRuns.inner
    const created = this.#tick()
    const steps = [{ name: 'last', kind: 'COMMAND' }] as const
    const token = this.run({ runId: inner, ownerId: workflowIds.inner, steps, output: 'last', start, above, stepId })
    const context = { attempt: 1, child: { runId: inner, former: [] } }
    addActor(this.#world, 'workflowStep', stepId, { place: { runId }, begin: { type: 'start' } }, context, [
      [created, 'create', 'STARTING', {}, cause],
      [created, 'requestAnswered', 'RUNNING'],
      [this.#tick(), 'childChanged', 'SUCCEEDED'],
    ])
    return { status: 'SUCCEEDED', token }
  }

  #kept({ stepId, runId, cause }: BegunStep, former: string, token: string): EndedStep {
    const init = { place: { runId }, begin: { type: 'reuse', stepId: former } }
    addActor(this.#world, 'workflowStep', stepId, init, { attempt: 0 }, [
      [this.#tick(), 'create', 'SUCCEEDED', {}, cause],
    ])
    return { status: 'SUCCEEDED', token }
  }

  #entry(entryId: string, above: readonly string[]) {
    return { runId: entryId, kind: 'WORKFLOW', limit: 0, exclusive: false, ready: true, revision: 0, above }
  }

  /** @returns the sequence of the transition */
  #inQueue(event: string, payload: NonNullable<TransitionWords[3]>): number {
    return this.#queue.push([this.#tick(), event, 'OPEN', payload])
  }

  #tick(): number {
    this.#at += 10
    return this.#at
  }
}

interface BegunStep {
  readonly stepId: string
  readonly runId: string
  readonly above: readonly string[]
  readonly cause: string
  readonly start: string
}

interface EndedStep {
  readonly status: string
  readonly token?: string
}

/** Adds the runs, and the requests for them. */
export function addWorkflows(world: World): void {
  const { all, failed, restarted } = workflowRuns
  for (const ownerId of Object.values(workflowIds))
    addActor(world, 'workflow', ownerId, {}, {}, [[900, 'create', 'PUBLISHED']])
  const history = new WorkflowHistory(world)
  const request = (operation: string, key: string, input: Readonly<Record<string, unknown>>, runId: string) =>
    world.asked.push(
      asked(operation, { ...input, idempotencyKey: key }, { type: 'accepted', object: { id: runId } }, 1_000),
    )
  request('startWorkflow', 's1', { workflowId: workflowIds.all, worktreeId, inputs: { start: 'one' } }, all)
  history.run({
    runId: all,
    ownerId: workflowIds.all,
    start: 'one',
    steps: [
      { name: 'build', kind: 'COMMAND' },
      { name: 'check', kind: 'COMMAND', code: unreliable, maxAttempts: 3, gets: 'build' },
      { name: 'ask', kind: 'APPROVAL' },
      { name: 'call', kind: 'WORKFLOW' },
      { name: 'use', kind: 'COMMAND', gets: 'call' },
    ],
  })
  request('startWorkflow', 's2', { workflowId: workflowIds.failing, worktreeId, inputs: { start: 'two' } }, failed)
  const failing = [
    { name: 'build', kind: 'COMMAND' },
    { name: 'check', kind: 'COMMAND', code: '3', gets: 'build' },
  ] as const
  const ownerId = workflowIds.failing
  history.run({ runId: failed, ownerId, start: 'two', steps: failing })
  const stepId = stepIdOf(failed, 0)
  const reuse = { build: { stepId, outputs: { token: world.stepOutputs.get(stepId)?.token ?? '' } } }
  history.run({ runId: restarted, ownerId, start: 'two', steps: failing, retryOf: failed, reuse })
  request('retryRun', 's3', { runId: failed, fromFailedStep: true }, restarted)
  history.end()
}
