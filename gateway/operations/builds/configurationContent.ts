import {
  type BuildConfigurationContent,
  type ConfigurationInput,
  defaultBuildTimeoutSeconds,
  defaultRetentionDays,
} from '../../../spec/builds/configurationContent.ts'
import { Failure } from '../../../spec/core/failure.ts'

/** The content of an input, with its defaults. @throws Failure BAD_USER_INPUT */
export function toConfigurationContent(input: ConfigurationInput): BuildConfigurationContent {
  const environment = input.environment ?? []
  requireDistinct(
    environment.map(({ name }) => name),
    'environment',
  )
  const destinations = input.destinations ?? []
  requireDistinct(
    destinations.map(({ name }) => name),
    'destinations',
  )
  return {
    name: input.name,
    description: input.description ?? '',
    steps: input.steps.map(({ name, command }) => ({ name, command })),
    environment: environment.map(({ name, value }) => ({ name, value })),
    artifacts: [...new Set(input.artifacts ?? [])],
    artifactRetentionDays: input.artifactRetentionDays ?? defaultRetentionDays,
    destinations: destinations.map(({ name, command, artifact }) => ({ name, command, artifact: artifact ?? null })),
    coverageReports: (input.coverageReports ?? []).map(({ format, pattern }) => ({ format, pattern })),
    signingAssets: [...new Set(input.signingAssets ?? [])],
    signingForRuns: input.signingForRuns ?? false,
    onPush: input.onPush
      ? { branches: [...new Set(input.onPush.branches)], worktreeId: input.onPush.worktreeId }
      : null,
    requirements: {
      platforms: [...new Set(input.requirements?.platforms ?? [])],
      architectures: [...new Set(input.requirements?.architectures ?? [])],
      tools: [...new Set(input.requirements?.tools ?? [])],
      tags: [...new Set(input.requirements?.tags ?? [])],
    },
    timeoutSeconds: input.timeoutSeconds ?? defaultBuildTimeoutSeconds,
  }
}

function requireDistinct(names: readonly string[], field: string): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice === undefined) return
  throw new Failure('BAD_USER_INPUT', `${field}: ${twice} is there twice. Give each name once.`, {
    details: { field },
  })
}
