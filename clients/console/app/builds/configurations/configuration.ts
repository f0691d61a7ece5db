/** A build configuration as the pages show it, and the operations on it. */
import { graphql, type ResultOf, type VariablesOf } from '../../data/graphql.ts'

export const configurationFragment = graphql(`fragment BuildConfigurationFields on BuildConfiguration {
  id name description status version revision updatedAt repository { id owner name } signingAssets { id name }
  content {
    steps { name command } environment { name value } artifacts artifactRetentionDays timeoutSeconds signingAssetIds signingForRuns
    coverageReports { format pattern } onPush { branches worktreeId }
    requirements { platforms architectures tools tags }
    destinations { name command artifact }
  }
}`)

export type Configuration = ResultOf<typeof configurationFragment>

export const createMutation = graphql(
  'mutation ($input: CreateBuildConfigurationInput!) { createBuildConfiguration(input: $input) { buildConfiguration { id } } }',
)
export const updateMutation = graphql(
  'mutation ($input: UpdateBuildConfigurationInput!) { updateBuildConfiguration(input: $input) { buildConfiguration { id } } }',
)
export const archiveMutation = graphql(
  'mutation ($id: ID!) { archiveBuildConfiguration(input: { buildConfigurationId: $id }) { buildConfiguration { id } } }',
)
export const unarchiveMutation = graphql(
  'mutation ($id: ID!) { unarchiveBuildConfiguration(input: { buildConfigurationId: $id }) { buildConfiguration { id } } }',
)

export type ConfigurationInput = Omit<VariablesOf<typeof createMutation>['input'], 'idempotencyKey' | 'repositoryId'>
