/** The facts of a run that change, and those that do not. */
import { terminalRunStatuses } from '../../../../spec/runs/runEnums.ts'
import { type EnumValue, graphql, type ResultOf } from '../data/graphql.ts'
import { blockedByFragment } from '../worktrees/WaitReason.tsx'
import { questionFragment } from './parsePermission.ts'

export const runSubscription = graphql(
  `subscription ($runId: ID!) { runStatusChanged(runId: $runId) {
    id kind displayNumber title status phase jobId parentRunId createdAt queuedAt admittedAt startedAt endedAt
    isPauseRequested canContinue questionId question { ...QuestionFields } exitCode problem { code message }
    worktreeConcurrencyLimit blockedBy { ...BlockedByFields }
    agent { id name } worktree { id branch path }
    result { stopReason usage { inputTokens outputTokens cachedInputTokens cost { amount currency } } }
    ... on SessionRun { session { id title } } ... on PlanRun { plan { id title } } ... on WorkflowRun { workflowId }
  } }`,
  [questionFragment, blockedByFragment],
)

export type RunDetails = ResultOf<typeof runSubscription>['runStatusChanged']

export const inputQuery = graphql(`query ($id: ID!) { run(id: $id) {
  kind cli model requestedById retryOfId task { prompt command }
  requestedBy {
    ... on User { name } ... on ApiKey { name }
    ... on PlanRun { title } ... on SessionRun { title } ... on WorkflowRun { title } ... on Schedule { name } ... on Integration { name }
  }
  attachments { id name }
} }`)

/** The input of a run. It never changes. */
export type RunInput = NonNullable<ResultOf<typeof inputQuery>['run']>

const terminalStatuses: ReadonlySet<EnumValue<'RunStatus'>> = new Set(terminalRunStatuses)

export function hasEnded({ status }: { readonly status: EnumValue<'RunStatus'> }): boolean {
  return terminalStatuses.has(status)
}
