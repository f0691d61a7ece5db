/** The items of a list that the user has selected, by their IDs. */
import { createStore } from '@xstate/store'

interface SelectionContext {
  readonly ids: ReadonlySet<string>
}

const initial: SelectionContext = { ids: new Set() }

export function createSelectionStore() {
  return createStore({
    context: initial,
    on: {
      toggled: ({ ids }, { id }: { id: string }): SelectionContext => ({
        ids: new Set(ids.has(id) ? [...ids].filter((selected) => selected !== id) : [...ids, id]),
      }),
      replaced: (_, { ids }: { ids: readonly string[] }): SelectionContext => ({ ids: new Set(ids) }),
    },
  })
}
