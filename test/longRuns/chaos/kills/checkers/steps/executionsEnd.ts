/** At rest every run of a workflow, its execution and its steps are terminal and fit each other. No slot is held. */
import type { Seen, Violation } from '../../seen.ts'
import { violation } from '../violation.ts'
import type { SeenWorkflowRun } from './readWorkflowRuns.ts'

/** Each run that has these statuses has them from its execution. */
const fromExecution: ReadonlySet<string> = new Set(['SUCCEEDED', 'FAILED', 'TIMED_OUT'])

export function executionsEnd(runs: readonly SeenWorkflowRun[], seen: Seen): readonly Violation[] {
  return [...runs.flatMap((one) => [...isOver(one), ...hasAllSteps(one), ...hasOnlyItsSteps(one, seen)]), ...held(seen)]
}

function isOver({ run, execution, steps }: SeenWorkflowRun): Violation[] {
  const all = [run, execution, ...steps.map(({ actor }) => actor)].filter((one) => one !== undefined)
  const active = all.filter(({ terminal }) => !terminal)
  const unended = active.flatMap(({ id, status }) =>
    violation(`${id} of ${run.id} is ${status} at the end`, id, run.id),
  )
  if (!fromExecution.has(run.status) || execution?.status === run.status) return unended
  const what = `${run.id} is ${run.status} and its execution is ${execution?.status ?? 'missing'}`
  return [...unended, ...violation(what, run.id, execution?.id ?? '')]
}

/** Steps are left out only if the execution was ended. */
function hasAllSteps({ run, steps }: SeenWorkflowRun): Violation[] {
  if (run.status !== 'SUCCEEDED' && run.status !== 'FAILED') return []
  return steps.flatMap(({ id, actor, definition }) =>
    actor === undefined ? violation(`${run.id} is ${run.status} without its step ${definition.name}`, run.id, id) : [],
  )
}

function hasOnlyItsSteps({ run, steps, execution }: SeenWorkflowRun, { actors }: Seen): Violation[] {
  const ids = new Set(steps.map(({ id }) => id))
  return [...actors.values()].flatMap(({ id, kind, init }) => {
    if (kind !== 'workflowStep' || Object(init.place).runId !== run.id) return []
    if (!ids.has(id)) return violation(`${id} is a step of ${run.id} that its definition does not have`, id, run.id)
    return execution === undefined ? violation(`${run.id} has the step ${id} and no execution`, id, run.id) : []
  })
}

function held({ actors }: Seen): Violation[] {
  return [...actors.values()].flatMap(({ id, kind, context }) => {
    if (kind !== 'worktreeQueue') return []
    const slots = Object.values(Object(context.held) as Readonly<Record<string, number>>)
    const isReserved = typeof context.reservedBy === 'string'
    if (!isReserved && slots.every((count) => count === 0)) return []
    return violation(
      `${id} holds the slots ${JSON.stringify(context.held)} for ${context.reservedBy ?? 'runs'} at the end`,
      id,
    )
  })
}
