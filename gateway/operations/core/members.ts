import type { Made } from '../objectType.ts'
import type { TypedViews } from '../typedViews.ts'

/** More entries than a collection may have: for reads that must be complete. */
export const everyMember = 1_000_000

interface MemberOptions {
  /** The value if there is no such member. Default: null. */
  readonly absent?: unknown
  /** Makes the public value of the stored one. */
  convert?(value: unknown): unknown
  /** Whether an object is in a state in which it can have the member: for the others nothing is read. */
  mayHave?(parent: Made): boolean
}

/** Loads a member of each actor. */
export const loadMember =
  (key: string, { absent = null, convert = (value) => value, mayHave = () => true }: MemberOptions = {}) =>
  async (parents: readonly Made[], { views }: { readonly views: TypedViews }): Promise<readonly unknown[]> =>
    await Promise.all(
      parents.map(async (parent) => {
        const [member] = mayHave(parent) ? await views.members(String(parent.id), key, 1) : []
        return member === undefined ? absent : convert(member.value)
      }),
    )
