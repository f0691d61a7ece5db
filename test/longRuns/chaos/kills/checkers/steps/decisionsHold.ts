/** The decision of an approval is stored once, as it was acknowledged, and decides how the step ends. */
import type { Asked, Seen, Violation } from '../../seen.ts'
import { violation } from '../violation.ts'
import type { SeenWorkflowRun, StepOfRun } from './readWorkflowRuns.ts'

const endOf = { APPROVED: 'SUCCEEDED', REJECTED: 'FAILED' } as const

export function decisionsHold(runs: readonly SeenWorkflowRun[], seen: Seen): readonly Violation[] {
  const requests = Map.groupBy(
    seen.asked.filter(({ operation }) => operation === 'decideApproval'),
    ({ input }) => String(input.stepId),
  )
  return runs.flatMap(({ steps }) =>
    steps.flatMap((step) =>
      step.definition.kind === 'APPROVAL' ? decisionHolds(step, requests.get(step.id) ?? [], seen) : [],
    ),
  )
}

function decisionHolds({ id, actor }: StepOfRun, requests: readonly Asked[], { journal }: Seen): Violation[] {
  const { decision } = (actor?.context.approval ?? {}) as { readonly decision?: keyof typeof endOf }
  const decided = (journal.get(id) ?? []).filter(({ event }) => event === 'decide')
  const others = requests.filter(({ answer, input }) => answer.type === 'accepted' && input.decision !== decision)
  const isRequested = decision === undefined || requests.some(({ input }) => input.decision === decision)
  const isEnd = decision === undefined || actor?.status === endOf[decision]
  return [
    ...(others.length === 0
      ? []
      : violation(`${others[0]?.input.decision} of ${id} was acknowledged, and ${decision} is stored`, id)),
    ...(isRequested ? [] : violation(`${decision} of ${id} is stored, and no request had this decision`, id)),
    ...(isEnd ? [] : violation(`${id} is ${actor?.status} after ${decision}`, id)),
    ...(decided.length <= 1 ? [] : violation(`${id} was decided ${decided.length} times`, id)),
    ...(decision !== undefined || actor?.status !== 'SUCCEEDED' || Object(actor.init.begin).type !== 'start'
      ? []
      : violation(`${id} is SUCCEEDED without a decision`, id)),
  ]
}
