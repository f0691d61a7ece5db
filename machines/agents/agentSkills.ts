/** The versions of skills on a machine, as its agent reports them. Each has the time at which it was first reported in its present form. */
import type { Json } from '../../spec/core/actor.ts'
import type { Members } from '../framework/members.ts'
import { agentMembers } from './agentKeys.ts'

export type ReportedSkill = {
  readonly skillId: string
  readonly version: number
  readonly sha256: string
  /** The reason why the agent could not store it. Null if it has stored it. */
  readonly problem: string | null
}

/** The versions of one skill, the newest last. */
export type HeldSkill = Omit<ReportedSkill, 'skillId'> & { readonly since: number }

const isSame = (a: Omit<ReportedSkill, 'skillId'>, b: Omit<ReportedSkill, 'skillId'>): boolean =>
  a.version === b.version && a.sha256 === b.sha256 && a.problem === b.problem

const heldOf = (members: Members, key: string) => (members.get(key) ?? []) as readonly HeldSkill[]

/** Replaces what the agent reported before. */
export function noteSkills(members: Members, reported: readonly ReportedSkill[], at: number): Members {
  const bySkill = Map.groupBy(reported, ({ skillId }) => agentMembers.skill.toKey(skillId))
  let noted = members
  for (const [key] of members.range(agentMembers.skill.prefix)) if (!bySkill.has(key)) noted = noted.without(key)
  for (const [key, versions] of bySkill) {
    const before = heldOf(members, key)
    const held = versions
      .toSorted((a, b) => a.version - b.version)
      .map(({ version, sha256, problem }): HeldSkill => {
        const now = { version, sha256, problem }
        return { ...now, since: before.find((one) => isSame(one, now))?.since ?? at }
      })
    if (!isEqual(before, held)) noted = noted.with(key, held as unknown as Json)
  }
  return noted
}

/** Whether the agent has reported exactly these before. */
export function hasSkills(members: Members, reported: readonly ReportedSkill[]): boolean {
  return noteSkills(members, reported, 0) === members
}

function isEqual(before: readonly HeldSkill[], held: readonly HeldSkill[]): boolean {
  return (
    before.length === held.length &&
    held.every((one, index) => {
      const other = before[index]
      return other !== undefined && isSame(other, one) && other.since === one.since
    })
  )
}
