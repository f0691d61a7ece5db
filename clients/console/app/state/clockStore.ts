/** One clock for all relative times on the page. */
import { createStore } from '@xstate/store'

const tickMs = 5_000

export const clockStore = createStore({
  /** Milliseconds since 1970 at the last tick. */
  context: { now: Date.now() },
  on: {
    ticked: (_, { now }: { now: number }) => ({ now }),
  },
})

/** The clock stops while the page is hidden. */
export function startClock(): void {
  setInterval(() => {
    if (document.visibilityState === 'visible') clockStore.trigger.ticked({ now: Date.now() })
  }, tickMs)
}
