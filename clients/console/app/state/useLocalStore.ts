import { useState } from 'preact/hooks'
import { type SelectableStore, useSelector } from './useSelector.ts'

/** Creates a store that exists as long as the component. @returns its context, and the store for events */
export function useLocalStore<Context, Store extends SelectableStore<Context>>(
  create: () => Store & SelectableStore<Context>,
): readonly [Context, Store] {
  const [store] = useState(create)
  return [useSelector<Context, Context>(store, (context) => context), store]
}
