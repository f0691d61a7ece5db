/** The tags of an agent. They have a revision of their own, because only people edit them. */
import type { ExpectsRevision } from '../framework/revision.ts'

/** Part of the context of an agent. Absent until the tags are set for the first time. */
export interface AgentTags {
  readonly names: readonly string[]
  readonly revision: number
}

interface Tagged {
  readonly tags?: AgentTags
}

export type SetTags = { type: 'setTags'; at: number; tags: readonly string[] } & ExpectsRevision

const none: AgentTags = { names: [], revision: 1 }

export const tagsOf = ({ tags }: Tagged): AgentTags => tags ?? none

/** In one order and without repeats, so that the same tags are recognized. */
const normalize = (names: readonly string[]): readonly string[] => [...new Set(names)].sort()

export function setTags(context: Tagged, { tags }: SetTags): AgentTags {
  return { names: normalize(tags), revision: tagsOf(context).revision + 1 }
}

export function hasTags(context: Tagged, { tags }: SetTags): boolean {
  return tagsOf(context).names.join(' ') === normalize(tags).join(' ')
}
