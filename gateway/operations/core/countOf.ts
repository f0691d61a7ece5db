import { int } from '../../../spec/core/types.ts'
import type { Relation } from '../objectType.ts'

type Many = Extract<Relation, { readonly type: 'many' }>

/** How many objects a relation leads to. A relation shows only its newest ones, so this says whether there are more. */
export function countOf({ kind, by, terminal }: Pick<Many, 'kind' | 'by' | 'terminal'>, description: string) {
  return {
    type: 'derived',
    output: int,
    nullable: false,
    description,
    load: async (parents, { views }) => {
      const ids = parents.map((parent) => String(parent.id))
      const counts = await views.countByScope(kind, by, ids, terminal === undefined ? {} : { terminal })
      return ids.map((id) => counts.get(id) ?? 0)
    },
  } as const satisfies Relation & { readonly description: string; readonly nullable: boolean }
}
