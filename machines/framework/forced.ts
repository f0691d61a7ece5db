import { moved } from '../../spec/operators/operatorAct.ts'
import type { Problem } from '../agents/jobSteps.ts'

/** The problem of a run that an operator has ended at once. */
export const endedByOperator: Problem = { code: 'FORCED_BY_OPERATOR', message: 'An operator ended the run at once.' }

/** What an actor says of a state that an operator forced. The operator's reason is theirs: it stands in the journal. */
export function forcedProblem(event: { readonly type: string }, what: string, status: string): Problem | undefined {
  if (event.type !== moved) return undefined
  return { code: 'FORCED_BY_OPERATOR', message: `An operator set the ${what} to ${status}.` }
}
