/** Connects components to stores: `@xstate/store` has hooks for React, Vue and Solid, but none for Preact. */
import type { StoreSnapshot } from '@xstate/store'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

export interface SelectableStore<Context> {
  getSnapshot(): StoreSnapshot<Context>
  subscribe(observer: () => void): { unsubscribe(): void }
}

/** Returns a part of a store's context. The component is rendered again each time that this part is another value. */
export function useSelector<Context, Selected>(
  store: SelectableStore<Context>,
  select: (context: Context) => Selected,
): Selected {
  const [, render] = useState({})
  const selected = select(store.getSnapshot().context)
  const latest = useRef({ select, selected })
  latest.current = { select, selected }
  useLayoutEffect(() => {
    const check = () => {
      const { current } = latest
      if (!Object.is(current.selected, current.select(store.getSnapshot().context))) render({})
    }
    // The store may have changed between the render and this effect.
    check()
    return store.subscribe(check).unsubscribe
  }, [store])
  return selected
}
