/** A build as the pages show it, and the operations on it. */
import { terminalBuildStatuses } from '../../../../spec/builds/buildEnums.ts'
import { graphql, type ResultOf } from '../data/graphql.ts'
import { authorFragment } from '../work/library/VersionHistory.tsx'
import { blockedByFragment } from '../worktrees/WaitReason.tsx'

export const buildFragment = graphql(
  `fragment BuildFields on Build {
  id displayNumber name kind source status phase commit requestedCommit createdAt startedAt endedAt durationMs
  worktreeConcurrencyLimit blockedBy { ...BlockedByFields }
  problem { code message } exitCode jobId buildConfigurationId configurationVersion requestedById rebuildOfId trigger
  workflowStep { title runId }
  webhookDelivery { id integrationId push { branch commit } }
  rebuildOf { displayNumber } agent { id name } worktree { id branch path } repository { id owner name }
  requestedBy { ...AuthorFields }
  signingAssets { id name }
  coverage {
    linesCovered linesTotal percent branchesCovered branchesTotal change previousBuildId fileCount omittedFileCount
  }
}`,
  [authorFragment, blockedByFragment],
)

export type Build = ResultOf<typeof buildFragment>

export const buildSubscription = graphql(
  'subscription ($buildId: ID!) { buildStatusChanged(buildId: $buildId) { ...BuildFields } }',
  [buildFragment],
)

export const startMutation = graphql(
  'mutation ($input: StartBuildInput!) { startBuild(input: $input) { build { id } } }',
)
export const rebuildMutation = graphql('mutation ($input: RebuildInput!) { rebuild(input: $input) { build { id } } }')

export function hasEnded({ status }: Pick<Build, 'status'>): boolean {
  return (terminalBuildStatuses as readonly string[]).includes(status)
}

/** The commit for a list: the short hash, or the name of the request while the hash is not known. */
export function shortCommit({ commit, requestedCommit }: Pick<Build, 'commit' | 'requestedCommit'>): string {
  return commit?.slice(0, 9) ?? requestedCommit ?? '–'
}
