import type { TypedRow } from '../../../../machines/rows.ts'
import { skillKey, skillScope } from '../../../../machines/work/skillKeys.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { activeSkillsMax } from '../../../../spec/work/skills/skillLimits.ts'
import type { TypedViews } from '../../typedViews.ts'

/** The active skill with the name: that of the repository, or else that of the installation. */
export async function findSkillByName(
  name: string,
  repositoryId: string | null,
  views: TypedViews,
): Promise<TypedRow<'skill'> | undefined> {
  const own = repositoryId === null ? undefined : await views.findByKey('skill', skillKey(repositoryId, name))
  return own ?? (await views.findByKey('skill', skillKey(null, name)))
}

/** @param skillId the skill that may have the name @throws Failure CONFLICT */
export async function refuseTakenSkill(
  name: string,
  repositoryId: string | null,
  views: TypedViews,
  skillId?: string,
): Promise<void> {
  const known = await views.findByKey('skill', skillKey(repositoryId, name))
  if (known === undefined || known.id === skillId) return
  throw new Failure(
    'CONFLICT',
    `An active skill "${name}" already exists: ${known.id}. Rename or archive one of them.`,
    {
      details: { field: 'name', id: known.id },
    },
  )
}

/** Requests at the same time may exceed the maximum by some. @throws Failure FAILED_PRECONDITION */
export async function refuseFurtherSkill(repositoryId: string | null, views: TypedViews): Promise<void> {
  const active = await views.count({
    kind: 'skill',
    where: { scopeId: skillScope(repositoryId) },
    statuses: ['ACTIVE'],
  })
  if (active < activeSkillsMax) return
  const scope = repositoryId === null ? 'installation' : 'repository'
  throw new Failure(
    'FAILED_PRECONDITION',
    `The ${scope} has ${active} active skills. The maximum is ${activeSkillsMax}. Archive one of them.`,
    { details: { active, limit: activeSkillsMax } },
  )
}
