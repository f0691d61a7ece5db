import type { GraphqlObject } from '../objectType.ts'
import type { TypedViews } from '../typedViews.ts'

/** A limit above the size of every collection, for reads that must be complete. */
export const everyMember = 1_000_000

interface MemberOptions {
  /** The value if there is no such member. Default: null. */
  readonly absent?: unknown
  /** Converts the stored value to the public one. */
  convert?(value: unknown): unknown
  /** Whether an object in its state can have the member. Nothing is read for the others. */
  mayHave?(parent: GraphqlObject): boolean
}

/** Loads a member of each actor. */
export const loadMember =
  (key: string, { absent = null, convert = (value) => value, mayHave = () => true }: MemberOptions = {}) =>
  async (parents: readonly GraphqlObject[], { views }: { readonly views: TypedViews }): Promise<readonly unknown[]> =>
    await Promise.all(
      parents.map(async (parent) => {
        const [member] = mayHave(parent) ? await views.members(String(parent.id), key, 1) : []
        return member === undefined ? absent : convert(member.value)
      }),
    )
