/** The context, events and actions of a workflow's execution. Which steps begin is decided here. */
import type { Json } from '../../../spec/core/actor.ts'
import { siblingId } from '../../../spec/core/ids.ts'
import { describeEnvironment } from '../../../spec/work/environment.ts'
import type { WorkflowDefinition } from '../../../spec/work/workflows/definition.ts'
import { expandReferences, MissingValue, type ReferenceScope } from '../../../spec/work/workflows/references.ts'
import type { StepDefinition } from '../../../spec/work/workflows/steps.ts'
import type { JobOutcome, Problem } from '../../agents/jobActions.ts'
import type { Outcome } from '../../framework/act.ts'
import type { MachineContext, Tell } from '../../framework/define.ts'
import type { Members } from '../../framework/members.ts'
import { executionMembers } from './executionKeys.ts'
import type { StepActivity, StepBeginning, StepEnd, StepInit } from './stepContext.ts'
import { stepIdOf } from './stepKeys.ts'
import { meetsTest, toTask } from './stepTask.ts'

/** The instructions of a workflow's run. The definition is the version that the run was started with. */
export type StepsSpec = {
  readonly worktreePath: string
  readonly definition: WorkflowDefinition
  readonly inputs: Readonly<Record<string, string>>
  /** The steps of an earlier run, by name, that are not executed again unless one that they need is. */
  readonly reuse?: Readonly<
    Record<string, { readonly stepId: string; readonly outputs: Readonly<Record<string, string>> }>
  >
}

export type ExecutionInit = {
  readonly runId: string
  readonly number: number
  readonly title: string
  readonly worktreeId: string
  readonly codebaseId: string
  readonly agentId: string
  /** The run and the runs above it, the topmost first. */
  readonly above: readonly string[]
  /** StepsSpec. */
  readonly spec: Json
  readonly createdAt: number
}

/** CREATED: the step has not reported yet, so messages to it may arrive too early. */
type NodeStatus = 'CREATED' | StepActivity | StepEnd

type KnownStep = {
  readonly status: NodeStatus
  /** The number of its last report. */
  readonly step: number
  readonly outputs: Readonly<Record<string, string>>
  readonly problem: Problem | null
  /** Whether the steps that need it cannot count on it. */
  readonly hasFailed: boolean
  /** Whether it has the outputs of an earlier run. Absent in executions of before it was stored. */
  readonly isReused?: boolean
}

export interface ExecutionContext extends MachineContext {
  readonly init: ExecutionInit
  readonly members: Members
  readonly id: string
  /** The number of reports to the run, which puts them in order by it. */
  readonly step: number
  readonly pause: { readonly isRequested: boolean; readonly isConfirmed: boolean; readonly revision: number }
  readonly ending: 'CANCEL' | 'TIMEOUT' | null
}

type StepChanged = {
  type: 'stepChanged'
  at: number
  name: string
  status: StepActivity | StepEnd
  step: number
  problem: Problem | null
  outputs: Readonly<Record<string, string>>
}

export type ExecutionEvent =
  | StepChanged
  | { type: 'cancel'; at: number }
  | { type: 'setPaused'; at: number; isPaused: boolean; revision: number }

const activities: ReadonlySet<NodeStatus> = new Set(['CREATED', 'ACTIVE', 'WAITING', 'PAUSED'])

export const specOf = ({ init }: Pick<ExecutionContext, 'init'>): StepsSpec => init.spec as unknown as StepsSpec

const stepsOf = (context: ExecutionContext): readonly StepDefinition[] => specOf(context).definition.steps

const knownStep = ({ members }: Pick<ExecutionContext, 'members'>, name: string): KnownStep | undefined =>
  members.get(executionMembers.step.toKey(name)) as KnownStep | undefined

const hasEnded = (known: KnownStep | undefined): known is KnownStep =>
  known !== undefined && !activities.has(known.status)

function* activeSteps(context: ExecutionContext): Generator<readonly [StepDefinition, number, KnownStep]> {
  for (const [index, step] of stepsOf(context).entries()) {
    const known = knownStep(context, step.name)
    if (known !== undefined && !hasEnded(known)) yield [step, index, known]
  }
}

export const isActive = (context: ExecutionContext): boolean => !activeSteps(context).next().done

/** Whether every step has ended, or will not begin because the execution ends. */
export function isComplete(context: ExecutionContext): boolean {
  if (isActive(context)) return false
  return context.ending !== null || stepsOf(context).every(({ name }) => hasEnded(knownStep(context, name)))
}

const scopeOf = (context: ExecutionContext): ReferenceScope => ({
  inputs: specOf(context).inputs,
  outputsOf: (step) => knownStep(context, step)?.outputs,
})

const toStep = ({ init }: ExecutionContext, index: number, event: Tell['event']): Tell => ({
  to: { kind: 'workflowStep', id: stepIdOf(init.runId, index) },
  event,
})

const toRun = ({ init }: ExecutionContext, event: Tell['event']): Tell => ({
  to: { kind: 'run', id: init.runId },
  event,
})

/** Reports to the run, as the job of a run does. */
function report(context: ExecutionContext, state: 'STARTED' | 'PAUSED'): Outcome<ExecutionContext> {
  const step = context.step + 1
  const event = { type: 'jobChanged', jobId: context.id, step, state, token: null, questionId: null, question: null }
  return { set: { step }, tell: [toRun(context, event)] }
}

/** The first transition: the execution exists, so that messages to it arrive. The run has started, and the first steps begin. */
export function begin(context: ExecutionContext): Outcome<ExecutionContext> {
  const ready = { ...toRun(context, { type: 'jobReady', jobId: context.id }), echo: context.id }
  const reported = report(context, 'STARTED')
  const begun = beginSteps(context, context.init.createdAt)
  return { set: { ...reported.set, ...begun.set }, tell: [ready, ...(reported.tell ?? []), ...(begun.tell ?? [])] }
}

/** Creates each step whose needed steps have ended. The steps are in an order in which none needs a later one. */
export function beginSteps(context: ExecutionContext, at: number): Outcome<ExecutionContext> {
  if (context.ending !== null || context.pause.isRequested) return {}
  let { members } = context
  const tell: Tell[] = []
  for (const [index, step] of stepsOf(context).entries()) {
    const now = { ...context, members }
    if (knownStep(now, step.name) !== undefined) continue
    const needed = step.needs.map((name) => knownStep(now, name))
    if (!needed.every(hasEnded)) continue
    const begin = beginningOf(now, step, needed)
    members = members.with(executionMembers.step.toKey(step.name), toKnown(begin, needed))
    tell.push({ ...toStep(context, index, { type: 'create' }), create: initOf(context, step, begin, at) })
  }
  return { set: { members }, tell }
}

function beginningOf(context: ExecutionContext, step: StepDefinition, needed: readonly KnownStep[]): StepBeginning {
  const reused = specOf(context).reuse?.[step.name]
  if (reused !== undefined && !needed.some(isExecuted)) return { type: 'reuse', ...reused }
  const isFailed = needed.some((known) => known.hasFailed)
  if (step.condition === 'SUCCEEDED' && isFailed)
    return skip('NEEDED_STEP_FAILED', 'A step that it needs has failed, or was skipped for that reason.')
  if (step.condition === 'FAILED' && !isFailed)
    return skip('NO_STEP_FAILED', 'It runs only if a step that it needs has failed.')
  const scope = scopeOf(context)
  if (!meetsTest(step, scope)) return skip('CONDITION_NOT_MET', 'The comparison in `onlyIf` does not hold.')
  try {
    const task = toTask(step, scope)
    const problem = task.kind === 'COMMAND' ? describeEnvironment(task.env) : undefined
    if (problem !== undefined) return { type: 'fail', problem: { code: 'ENVIRONMENT_TOO_LARGE', message: problem } }
    return { type: 'start', task }
  } catch (error) {
    if (!(error instanceof MissingValue)) throw error
    return { type: 'fail', problem: { code: 'MISSING_VALUE', message: error.message } }
  }
}

/**
 * Whether the step is executed in this run. A step behind it must see its new outcome: a rollback, or a report of the result. A step that its
 * own condition skips has none.
 */
const isExecuted = ({ status, hasFailed, isReused = false }: KnownStep): boolean =>
  !isReused && (status !== 'SKIPPED' || hasFailed)

const skip = (code: string, message: string): StepBeginning => ({ type: 'skip', problem: { code, message } })

/** A step that does not start has ended at once. Its own report changes nothing. */
function toKnown(begin: StepBeginning, needed: readonly KnownStep[]): KnownStep {
  const none = { step: 0, outputs: {}, problem: null, hasFailed: false }
  switch (begin.type) {
    case 'start':
      return { ...none, status: 'CREATED' }
    case 'reuse':
      return { ...none, status: 'SUCCEEDED', outputs: begin.outputs, isReused: true }
    case 'fail':
      return { ...none, status: 'FAILED', problem: begin.problem, hasFailed: true }
    case 'skip':
      // A failure reaches all steps behind it. A step that its own condition skips does not stop those.
      return {
        ...none,
        status: 'SKIPPED',
        problem: begin.problem,
        hasFailed: begin.problem.code === 'NEEDED_STEP_FAILED' && needed.some((known) => known.hasFailed),
      }
  }
}

function initOf(context: ExecutionContext, step: StepDefinition, begin: StepBeginning, at: number): StepInit {
  const { runId, number, title, worktreeId, codebaseId, agentId, above } = context.init
  const { worktreePath, definition } = specOf(context)
  return {
    place: { runId, number, title, worktreeId, worktreePath, codebaseId, agentId, above },
    name: step.name,
    stepTitle: step.title,
    kind: step.kind,
    retry: step.retry,
    timeoutSeconds: step.timeoutSeconds ?? definition.timeoutSeconds,
    begin,
    createdAt: at,
  }
}

/** @returns undefined if the report is older than one that was applied, or the step had ended */
export function takeReport(context: ExecutionContext, event: StepChanged): Members | undefined {
  const { name, status, step, problem, outputs } = event
  const known = knownStep(context, name)
  if (known === undefined || !activities.has(known.status) || step <= known.step) return undefined
  const hasFailed = !activities.has(status) && status !== 'SUCCEEDED'
  return context.members.with(executionMembers.step.toKey(name), { status, step, outputs, problem, hasFailed })
}

/** Applies the report of a step. Steps that needed it may begin. */
export function follow(context: ExecutionContext, event: StepChanged): Outcome<ExecutionContext> {
  const members = takeReport(context, event)
  if (members === undefined) return {}
  const wasCreated = knownStep(context, event.name)?.status === 'CREATED'
  const next = { ...context, members }
  const greeted = wasCreated && activities.has(event.status) ? greet(next, event.name) : []
  const begun = beginSteps(next, event.at)
  const confirmed = confirmPause({ ...next, ...begun.set })
  return {
    set: { members, ...begun.set, ...confirmed.set },
    tell: [...greeted, ...(begun.tell ?? []), ...(confirmed.tell ?? [])],
  }
}

/** Sends a new step the requests that were made before it could receive them. */
function greet(context: ExecutionContext, name: string): readonly Tell[] {
  const index = stepsOf(context).findIndex((step) => step.name === name)
  if (context.ending !== null) return [toStep(context, index, { type: 'cancel' })]
  const { isRequested, revision } = context.pause
  return isRequested ? [toStep(context, index, { type: 'setPaused', isPaused: true, revision })] : []
}

/** Sends an event to the active steps that can receive it. The others get it with their first report. */
function tellSteps(context: ExecutionContext, event: Tell['event']): readonly Tell[] {
  return [...activeSteps(context)].flatMap(([, index, { status }]) =>
    status === 'CREATED' ? [] : [toStep(context, index, event)],
  )
}

export function endSteps(context: ExecutionContext, ending: 'CANCEL' | 'TIMEOUT'): Outcome<ExecutionContext> {
  return { set: { ending }, tell: tellSteps(context, { type: 'cancel' }) }
}

export function setPause(
  context: ExecutionContext,
  event: Extract<ExecutionEvent, { type: 'setPaused' }>,
): Outcome<ExecutionContext> {
  const { isPaused, revision, at } = event
  const pause = { ...context.pause, isRequested: isPaused, revision }
  const sent = tellSteps(context, { type: 'setPaused', isPaused, revision })
  const next = { ...context, pause }
  if (isPaused) {
    const confirmed = confirmPause(next)
    return { set: { pause, ...confirmed.set }, tell: [...sent, ...(confirmed.tell ?? [])] }
  }
  const resumed = { ...next, pause: { ...pause, isConfirmed: false } }
  const reported = report(resumed, 'STARTED')
  const begun = beginSteps(resumed, at)
  return {
    set: { pause: resumed.pause, ...reported.set, ...begun.set },
    tell: [...sent, ...(reported.tell ?? []), ...(begun.tell ?? [])],
  }
}

/**
 * The run is paused when no step of it works. A step may still report that it works after the pause was confirmed, if the run was resumed and
 * paused again in quick succession.
 */
function confirmPause(context: ExecutionContext): Outcome<ExecutionContext> {
  const { isRequested, isConfirmed } = context.pause
  const isQuiet = [...activeSteps(context)].every(([, , { status }]) => status !== 'CREATED' && status !== 'ACTIVE')
  if (!isRequested || isConfirmed === isQuiet) return {}
  const reported = report(context, isQuiet ? 'PAUSED' : 'STARTED')
  return { ...reported, set: { ...reported.set, pause: { ...context.pause, isConfirmed: isQuiet } } }
}

/** Whether the time limit does not count: the execution is paused, or only waits for people. */
export function isSuspended(context: ExecutionContext): boolean {
  if (context.pause.isConfirmed) return true
  const active = [...activeSteps(context)]
  return active.length > 0 && active.every(([, , { status }]) => status === 'WAITING')
}

/**
 * How the run ends, by how its steps have ended. A step that is LOST may still change the worktree, so the run is LOST, even if it was
 * canceled.
 */
export function outcomeOf(context: ExecutionContext): {
  readonly outcome: JobOutcome
  readonly problem: Problem | null
} {
  const ended = stepsOf(context).flatMap(({ name, title }) => {
    const known = knownStep(context, name)
    return known === undefined ? [] : [{ name, title, ...known }]
  })
  const lost = ended.find(({ status }) => status === 'LOST')
  if (lost !== undefined) {
    return { outcome: 'LOST', problem: context.ending === null ? problemOf(lost) : (lost.problem ?? problemOf(lost)) }
  }
  if (context.ending === 'TIMEOUT') {
    const seconds = specOf(context).definition.timeoutSeconds
    return { outcome: 'TIMED_OUT', problem: { code: 'TIMED_OUT', message: `Timed out after ${seconds} seconds.` } }
  }
  if (context.ending === 'CANCEL') return { outcome: 'CANCELED', problem: null }
  const failed = ended.find(({ status, hasFailed }) => hasFailed && status !== 'SKIPPED')
  return failed === undefined
    ? { outcome: 'SUCCEEDED', problem: null }
    : { outcome: 'FAILED', problem: problemOf(failed) }
}

interface EndedStep extends KnownStep {
  readonly name: string
  readonly title: string
}

function problemOf({ name, title, status, problem }: EndedStep): Problem {
  const code = 'STEP_FAILED'
  // The message of a command that failed already names the step.
  if (problem?.code === code && problem.message.startsWith(`Step “${name}”`)) return { code, message: problem.message }
  const reason = problem === null ? '' : ` ${problem.code}: ${problem.message}`
  return { code, message: `Step “${title}” is ${status}.${reason}`.slice(0, 2_000) }
}

/** The first transition into a final state. The steps have left the queue by themselves. */
export function finish(
  context: ExecutionContext,
  outcome: JobOutcome,
  problem: Problem | null,
): Outcome<ExecutionContext> {
  const { init, id } = context
  const outputs = outcome === 'SUCCEEDED' ? outputsOf(context) : {}
  const result: Json = { outputs }
  return {
    tell: [
      toRun(context, { type: 'jobEnded', jobId: id, outcome, problem, exit: null, result }),
      {
        to: { kind: 'worktreeQueue', id: siblingId('worktreeQueue', init.worktreeId) },
        event: { type: 'settled', runId: init.runId },
      },
    ],
  }
}

/** An output whose step was skipped is left out. */
function outputsOf(context: ExecutionContext): Record<string, string> {
  const scope = scopeOf(context)
  const outputs: Record<string, string> = {}
  for (const { name, value } of specOf(context).definition.outputs) {
    try {
      outputs[name] = expandReferences(value, scope)
    } catch (error) {
      if (!(error instanceof MissingValue)) throw error
    }
  }
  return outputs
}
