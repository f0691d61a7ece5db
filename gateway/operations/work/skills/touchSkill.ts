import { requireRow } from '../../core/rows.ts'
import { type TouchedObjects, touchRepository } from '../../tools/touched.ts'
import type { TypedViews } from '../../typedViews.ts'

/** The repository of the skill. A skill of the installation touches none, so every run that has the tool may change it. */
export async function touchSkill(
  { skillId }: { readonly skillId: string },
  { views }: { readonly views: TypedViews },
): Promise<TouchedObjects> {
  return touchRepository((await requireRow(views, 'skill', skillId)).init.repositoryId)
}
