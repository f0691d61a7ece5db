/** Whether the window is narrow. */
import { createStore } from '@xstate/store'

export const viewportStore = createStore({
  /** Whether it is too narrow for all columns of a list beside the navigation. The styles of lists have the same limit. */
  context: { isNarrow: false },
  on: {
    resized: (_, { isNarrow }: { isNarrow: boolean }) => ({ isNarrow }),
  },
})

export function watchViewport(): void {
  const narrow = matchMedia('(width < 78rem)')
  const update = () => viewportStore.trigger.resized({ isNarrow: narrow.matches })
  narrow.addEventListener('change', update)
  update()
}
