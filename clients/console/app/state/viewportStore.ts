/** The size of the window. */
import { createStore } from '@xstate/store'

export const viewportStore = createStore({
  /** Whether the window is too narrow for a whole row beside the navigation. */
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
