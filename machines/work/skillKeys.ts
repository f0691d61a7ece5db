import type { SkillContent } from '../../spec/work/skills/skillVersion.ts'

/** A version of a skill. `author` is the `principalName` of a person, or the ID of a run. */
export type SkillVersion = SkillContent & { readonly author: string; readonly at: number }

/** The members of a skill: its versions, in the order of their numbers. */
export const skillMembers = Object.freeze({
  version: (number: number): string => `version/${String(number).padStart(7, '0')}`,
})

/** The scope of a skill in the database. No ID of a repository is `installation`. */
export function skillScope(repositoryId: string | null): string {
  return repositoryId ?? 'installation'
}

/** The unique name of an active skill. */
export function skillKey(repositoryId: string | null, name: string): string {
  return `${skillScope(repositoryId)}|${name}`
}
