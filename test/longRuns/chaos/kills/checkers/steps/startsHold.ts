/** Each acknowledged start or restart is one run. No run exists without a request. */
import type { Asked, Seen, Violation } from '../../seen.ts'
import { violation } from '../violation.ts'
import type { SeenWorkflowRun } from './readWorkflowRuns.ts'

export function startsHold(runs: readonly SeenWorkflowRun[], { asked }: Seen): readonly Violation[] {
  const own = runs.filter(({ run }) => run.init.stepId === undefined)
  const starts = new Map<string, readonly Asked[]>([
    ...Map.groupBy(asked.filter(isRequestOf('startWorkflow')), ({ input }) => startOf(input.inputs)),
    ...Map.groupBy(asked.filter(isRequestOf('retryRun')), ({ input }) => String(input.runId)),
  ])
  return [...Map.groupBy(own, requestOf)].flatMap(([request, made]) => {
    const requests = starts.get(request) ?? []
    const acknowledged = new Set(
      requests.flatMap(({ answer }) => (answer.type === 'accepted' ? [String(answer.object.id)] : [])),
    )
    // Repeats of a request have its key.
    const most = new Set(requests.filter(mayHaveStarted).map(({ input }) => input.idempotencyKey)).size
    if (made.length <= most) return []
    const ids = made.map(({ run }) => run.id)
    return violation(`${ids.join(' and ')} exist for ${most} starts; ${acknowledged.size} are acknowledged`, ...ids)
  })
}

const isRequestOf =
  (name: string) =>
  ({ operation }: Asked): boolean =>
    operation === name

/** A try whose answer was lost may have created a run, whatever the last answer is. */
const mayHaveStarted = ({ answer, tries }: Asked): boolean => answer.type !== 'refused' || tries > 1

/** The input `start` is unique to a start, so it connects a run with its request. */
const startOf = (inputs: unknown): string => String(Object(inputs).start)

const requestOf = ({ run, inputs }: SeenWorkflowRun): string =>
  run.init.retryOf === undefined ? startOf(inputs) : String(run.init.retryOf)
