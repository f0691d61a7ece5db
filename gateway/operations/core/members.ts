import type { Made } from '../objectType.ts'
import type { TypedViews } from '../typedViews.ts'

/** More entries than a collection may have: for reads that must be complete. */
export const everyMember = 1_000_000

/**
 * Loads what each object keeps in its actor's collection under one key.
 *
 * @param absent what stands for it where there is none
 * @param mayHave whether an object is in a state in which it has it: the others are not looked up
 */
export const memberOf =
  (key: string, absent: unknown, mayHave: (parent: Made) => boolean = () => true) =>
  async (parents: readonly Made[], { views }: { readonly views: TypedViews }): Promise<readonly unknown[]> =>
    await Promise.all(
      parents.map(async (parent) =>
        mayHave(parent) ? ((await views.members(String(parent.id), key, 1))[0]?.value ?? absent) : absent,
      ),
    )
