import type { CommandContent } from '../../spec/work/commands/content.ts'

/** A version of a command. `author` is the `principalName` of the caller: the ID of a user, of an API key or of a run. */
export type CommandVersion = CommandContent & { readonly author: string; readonly at: number }

/** The members of a command: its versions, in the order of their numbers. */
export const commandMembers = Object.freeze({
  version: (number: number): string => `version/${String(number).padStart(7, '0')}`,
})

/** The `uniqueKey` of an active command: its name is unique in its repository, or in the installation. No ID of a repository is `installation`. */
export function commandKey(repositoryId: string | null, name: string): string {
  return `${repositoryId ?? 'installation'}|${name}`
}
