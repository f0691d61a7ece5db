/** The skills that a run got when it was created. */
import * as v from 'valibot'
import { id, int, named } from '../../core/types.ts'
import { activeSkillsMax } from './skillLimits.ts'

/** The version of a skill that a run uses, from its `spec`. */
export type PinnedSkill = {
  readonly id: string
  readonly name: string
  readonly version: number
  readonly sha256: string
  /** The number of bytes of the canonical form. */
  readonly archiveSize: number
}

/** The maximum number of skills of a run: those of the installation and of one repository. Requests at the same time may exceed it. */
export const runSkillsMax = 2 * activeSkillsMax

/** A retry has the same ones as the former run. */
export function readPinnedSkills(spec: unknown): readonly PinnedSkill[] {
  const { skills } = Object(spec) as { readonly skills?: readonly PinnedSkill[] }
  return skills ?? []
}

export const skillPlacements = ['PLACED', 'REPOSITORY', 'OTHER_VERSION', 'FAILED'] as const
export type SkillPlacement = (typeof skillPlacements)[number]

/** The type of the event with which an agent reports what became of the skills of a run. */
export const skillsEventType = 'SKILLS'

export const runSkill = named(
  'RunSkill',
  'A skill that a run got when it was created.',
  v.object({
    skillId: id,
    name: v.string(),
    version: v.pipe(int, v.description('The version that the run got.')),
    sha256: v.pipe(v.string(), v.description('The SHA-256 of the version’s content.')),
    placement: v.pipe(
      v.nullable(
        named(
          'RunSkillPlacement',
          'The placement of a skill of a run by its agent. PLACED: the coding CLI finds this version in the worktree. REPOSITORY: the worktree has a skill of the repository with this name, which the coding CLI uses. OTHER_VERSION: another run on the worktree uses another version at the same time, and this run too. FAILED: it could not be placed.',
          v.picklist(skillPlacements),
        ),
      ),
      v.description('Null until the agent has reported it.'),
    ),
    problem: v.pipe(v.nullable(v.string()), v.description('The reason of a placement other than PLACED.')),
  }),
)
