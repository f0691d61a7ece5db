/** The output of a step names the attempt that wrote it, and reaches the steps that use it. */
import { jobIdOf } from '../../../../../../machines/work/steps/stepKeys.ts'
import { jobOf, readJobWork } from '../../jobWork.ts'
import type { Seen, Violation } from '../../seen.ts'
import { violation } from '../violation.ts'
import { attemptOf, type SeenWorkflowRun, type StepOfRun } from './readWorkflowRuns.ts'

const reference = /\{\{steps\.([a-z0-9_-]+)\.token\}\}/g

export function outputsHold(runs: readonly SeenWorkflowRun[], seen: Seen): readonly Violation[] {
  const steps = new Map(runs.flatMap((one) => one.steps.map((step) => [step.id, step] as const)))
  const byRun = new Map(runs.map((one) => [one.run.id, one]))
  const works = readJobWork(seen)
  /** The token that the step must have, through restarts and inner workflows. */
  const tokenOf = (step: StepOfRun): string | undefined => {
    const former = steps.get(String(Object(step.actor?.init.begin).stepId))
    if (former !== undefined) return tokenOf(former)
    if (step.definition.kind === 'WORKFLOW') return tokenOfRun(byRun.get(childOf(step)))
    const jobId = jobIdOf(step.id, attemptOf(step))
    const attempt = seen.actors.get(jobId)?.context.attempt
    return `${jobId}.${attempt}/${works.get(jobId)?.commands[0]?.name}`
  }
  const tokenOfRun = (child: SeenWorkflowRun | undefined): string | undefined => {
    const [, name] = child?.output?.matchAll(reference).next().value ?? []
    const last = child?.steps.find(({ definition }) => definition.name === name)
    return last && tokenOf(last)
  }
  const written = [...steps.values()].flatMap((step) => {
    if (step.actor?.status !== 'SUCCEEDED' || step.definition.kind === 'APPROVAL') return []
    const [actual, expected] = [seen.stepOutputs.get(step.id)?.token, tokenOf(step)]
    return actual === expected ? [] : violation(`${step.id} has the output ${actual} instead of ${expected}`, step.id)
  })
  const passedOn = seen.lines.flatMap(({ mark, given = '' }) => {
    const step = steps.get(works.get(jobOf(mark))?.step?.id ?? '')
    if (step === undefined) return []
    const expected = (step.definition.action.command?.env[0]?.value ?? '').replaceAll(reference, (_, name: string) => {
      const source = step.needs.find(({ definition }) => definition.name === name)
      return (source && tokenOf(source)) ?? 'nothing'
    })
    return given === expected ? [] : violation(`${step.id} received ${given} instead of ${expected}`, step.id)
  })
  return [...written, ...passedOn]
}

const childOf = ({ actor }: StepOfRun): string => String(Object(actor?.context.child).runId)
