import { forcedTransitionEvent } from '../../spec/operators/operatorAction.ts'
import type { Problem } from '../agents/jobActions.ts'

/** The problem of a run that an operator ended at once. */
export const endedByOperator: Problem = { code: 'FORCED_BY_OPERATOR', message: 'An operator ended the run at once.' }

/** The problem of an actor whose state an operator forced. The operator's reason is not part of it: the journal has it. */
export function forcedProblem(event: { readonly type: string }, what: string, status: string): Problem | undefined {
  if (event.type !== forcedTransitionEvent) return undefined
  return { code: 'FORCED_BY_OPERATOR', message: `An operator set the ${what} to ${status}.` }
}
