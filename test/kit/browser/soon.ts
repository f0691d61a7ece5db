/** Assertions about a page that wait. */
import { setTimeout as pause } from 'node:timers/promises'

/** The longest time that a page gets. Slow machines need it; a page that is right at once takes none of it. Milliseconds. */
export const longestMs = 60_000

/**
 * Repeats assertions until they hold. A page shows a change one frame later or, on a busy machine, seconds later. If they never hold,
 * throws what the last assertion threw.
 */
export async function soon(assertions: () => void | Promise<void>): Promise<void> {
  const end = performance.now() + longestMs
  for (;;) {
    try {
      return await assertions()
    } catch (error) {
      if (performance.now() > end) throw error
      await pause(50)
    }
  }
}
