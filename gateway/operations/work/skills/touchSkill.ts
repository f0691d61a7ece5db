import { requireRow } from '../../core/rows.ts'
import type { TouchedObjects } from '../../tools/touched.ts'
import type { TypedViews } from '../../typedViews.ts'

export const touchRepository = (repositoryId: string | null | undefined): TouchedObjects =>
  typeof repositoryId === 'string' ? { repositoryId } : {}

/** The repository of the skill. A skill of the installation belongs to no run. */
export async function touchSkill(
  { skillId }: { readonly skillId: string },
  { views }: { readonly views: TypedViews },
): Promise<TouchedObjects> {
  return touchRepository((await requireRow(views, 'skill', skillId)).init.repositoryId)
}
