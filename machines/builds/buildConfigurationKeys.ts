import type { BuildConfigurationContent } from '../../spec/builds/configurationContent.ts'

/** A version of a build configuration. `author` is the `principalName` of the caller: the ID of a user, of an API key or of a run. */
export type BuildConfigurationVersion = BuildConfigurationContent & { readonly author: string; readonly at: number }

/** The members of a build configuration: its versions, in the order of their numbers. */
export const buildConfigurationMembers = Object.freeze({
  version: (number: number): string => `version/${String(number).padStart(7, '0')}`,
})

/** The `uniqueKey` of an active build configuration: its name is unique in its repository. */
export function buildConfigurationKey(repositoryId: string, name: string): string {
  return `${repositoryId}|${name}`
}
