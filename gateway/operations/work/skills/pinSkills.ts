import type { TypedRow } from '../../../../machines/rows.ts'
import { skillScope } from '../../../../machines/work/skillKeys.ts'
import type { PinnedSkill } from '../../../../spec/work/skills/runSkills.ts'
import { everyRow } from '../../core/everyRow.ts'
import { requireRow } from '../../core/rows.ts'
import type { TypedViews } from '../../typedViews.ts'

/**
 * The newest versions of the active skills that a new run on the codebase gets, by name. A skill of the repository replaces one of the
 * installation with the same name.
 */
export async function pinSkills(codebaseId: string, views: TypedViews): Promise<readonly PinnedSkill[]> {
  const { repositoryId } = (await requireRow(views, 'codebase', codebaseId)).context
  const [common, own] = await Promise.all([
    activeSkills(null, views),
    repositoryId === null ? [] : activeSkills(repositoryId, views),
  ])
  const byName = new Map([...common, ...own].map((row) => [row.context.name, toPinned(row)]))
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

async function activeSkills(repositoryId: string | null, views: TypedViews): Promise<readonly TypedRow<'skill'>[]> {
  return await everyRow(views, { kind: 'skill', where: { scopeId: skillScope(repositoryId) }, statuses: ['ACTIVE'] })
}

function toPinned({ id, context: { name, revision, sha256, archiveSize } }: TypedRow<'skill'>): PinnedSkill {
  return { id, name, version: revision, sha256, archiveSize }
}
