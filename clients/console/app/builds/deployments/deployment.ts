/** A deployment as the pages show it, and the operations on it. */
import { terminalDeploymentStatuses } from '../../../../../spec/builds/deployments/deploymentEnums.ts'
import { graphql, type ResultOf } from '../../data/graphql.ts'
import { format, messages } from '../../messages.ts'
import { authorFragment } from '../../work/library/VersionHistory.tsx'

export const deploymentFragment = graphql(
  `fragment DeploymentFields on Deployment {
  id displayNumber status stopping artifactPath destination { kind id name } problem { code message } exitCode jobId
  transferId createdAt startedAt endedAt requestedById
  build { id name displayNumber } sourceAgent { id name } targetAgent { id name } requestedBy { ...AuthorFields }
}`,
  [authorFragment],
)

export type Deployment = ResultOf<typeof deploymentFragment>

export const deploymentSubscription = graphql(
  'subscription ($deploymentId: ID!) { deploymentStatusChanged(deploymentId: $deploymentId) { ...DeploymentFields } }',
  [deploymentFragment],
)

export const runBuildMutation = graphql(
  'mutation ($input: RunBuildInput!) { runBuild(input: $input) { deployment { id } } }',
)
export const stopMutation = graphql(
  'mutation ($input: StopDeploymentInput!) { stopDeployment(input: $input) { deployment { id } } }',
)

export function hasEnded({ status }: Pick<Deployment, 'status'>): boolean {
  return (terminalDeploymentStatuses as readonly string[]).includes(status)
}

/** The kind and the name of a destination. */
export function describeDestination({ kind, name }: Pick<Deployment['destination'], 'kind' | 'name'>): string {
  return format(messages.deployments.kindAndName, { kind: messages.deployments.kinds[kind], name })
}
