/** A step begins only after the steps that it needs have ended, and as its conditions allow. */

import { jobOf, readJobWork } from '../../jobWork.ts'
import type { Line, Seen, SeenActor, SeenTransition, Violation } from '../../seen.ts'
import { violation } from '../violation.ts'
import { beginningOf, type SeenWorkflowRun, type StepOfRun } from './readWorkflowRuns.ts'

export function stepsBeginInOrder(runs: readonly SeenWorkflowRun[], seen: Seen): readonly Violation[] {
  const times = commandTimes(seen)
  return runs.flatMap((one) =>
    one.steps.flatMap((step) =>
      step.actor === undefined
        ? []
        : [...tooEarly(one, step, seen), ...wrongBeginning(one, step, step.actor), ...commandsOverlap(step, times)],
    ),
  )
}

/** By the transitions of the execution, which do not depend on clocks. */
function tooEarly({ execution }: SeenWorkflowRun, step: StepOfRun, { journal }: Seen): Violation[] {
  const transitions = journal.get(execution?.id ?? '') ?? []
  const created = createdBy(step, journal)
  return step.needs.flatMap((need) => {
    const ended = endedIn(need, transitions) ?? createdBy(need, journal)
    const isFirst = need.actor !== undefined && created !== undefined && ended !== undefined && ended <= created
    if (isFirst) return []
    return violation(`${step.id} began before ${need.id}, which it needs, had ended`, step.id, need.id)
  })
}

/** The sequence of the transition of the execution that created it. */
function createdBy({ id }: StepOfRun, journal: Seen['journal']): number | undefined {
  const match = /:(\d+):\d+$/.exec(journal.get(id)?.[0]?.cause.id ?? '')
  return match?.[1] === undefined ? undefined : Number(match[1])
}

/** @returns undefined if it ended with its creation: it was skipped, or it has the outputs of an earlier step */
function endedIn({ definition, actor }: StepOfRun, transitions: readonly SeenTransition[]): number | undefined {
  if (beginningOf(actor).type !== 'start') return undefined
  const end = transitions.find(
    ({ event, payload }) =>
      event === 'stepChanged' && payload.name === definition.name && !activities.has(String(payload.status)),
  )
  return end?.seq ?? Number.POSITIVE_INFINITY
}

const activities: ReadonlySet<string> = new Set(['ACTIVE', 'WAITING', 'PAUSED'])

/** The conditions are applied again to the stored statuses, independently of the code that decided. */
function wrongBeginning({ inputs }: SeenWorkflowRun, step: StepOfRun, actor: SeenActor): Violation[] {
  const expected = step.isKept ? 'reuse' : expectedBeginning(step, inputs)
  const { type, problem } = beginningOf(actor)
  const actual = type === 'skip' ? `skip ${problem?.code}` : type
  if (actual === expected) return []
  return violation(`${step.id} began with ${actual} instead of ${expected}`, step.id, ...step.needs.map(({ id }) => id))
}

function expectedBeginning({ definition, needs }: StepOfRun, inputs: SeenWorkflowRun['inputs']): string {
  const { condition, onlyIf, action } = definition
  const isFailed = needs.some(hasFailed)
  if (condition === 'SUCCEEDED' && isFailed) return 'skip NEEDED_STEP_FAILED'
  if (condition === 'FAILED' && !isFailed) return 'skip NO_STEP_FAILED'
  // The load compares only the input `mode`.
  if (onlyIf !== null && inputs.mode !== onlyIf.equals) return 'skip CONDITION_NOT_MET'
  const given = action.command?.env[0]?.value ?? ''
  const isMissing = needs.some(
    (need) => given.includes(`steps.${need.definition.name}.`) && need.actor?.status !== 'SUCCEEDED',
  )
  return isMissing ? 'fail' : 'start'
}

/** A step that its own condition has skipped does not stop the steps behind it. */
function hasFailed({ actor }: StepOfRun): boolean {
  if (actor?.status === 'SKIPPED') return beginningOf(actor).problem?.code === 'NEEDED_STEP_FAILED'
  return actor?.status !== 'SUCCEEDED'
}

interface CommandTimes {
  readonly began: number
  readonly ended: number
}

/** By step. All commands take the time from one clock. */
function commandTimes(seen: Seen): ReadonlyMap<string, CommandTimes> {
  const works = readJobWork(seen)
  const stepOf = ({ mark }: Line): string => works.get(jobOf(mark))?.step?.id ?? ''
  return new Map(
    [...Map.groupBy(seen.lines, stepOf)].map(([id, lines]) => {
      const times = lines.map(({ at }) => at)
      return [id, { began: Math.min(...times), ended: Math.max(...times) }] as const
    }),
  )
}

function commandsOverlap(step: StepOfRun, times: ReadonlyMap<string, CommandTimes>): Violation[] {
  const began = times.get(step.id)?.began
  if (began === undefined) return []
  return step.needs.flatMap((need) => {
    // The end of the processes of a lost step is unknown.
    if (need.actor?.status === 'LOST' || (times.get(need.id)?.ended ?? 0) <= began) return []
    return violation(`the command of ${step.id} began before that of ${need.id} had ended`, step.id, need.id)
  })
}
