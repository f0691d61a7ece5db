/** Waits for the transition of a user that follows from a tell of `registration`. */
import type { TypedRow } from '../../../machines/rows.ts'
import type { GatewayOptions } from '../../options.ts'

const timeoutMs = 5_000

type Sources = Pick<GatewayOptions, 'feed' | 'views' | 'clock'>

/** Waits until the user exists. @returns undefined after five seconds */
export function waitForUser(id: string, sources: Sources): Promise<TypedRow<'user'> | undefined> {
  return waitForUserRow(id, () => true, sources)
}

/** Waits until the user's row meets the condition. @returns undefined after five seconds */
export async function waitForUserRow(
  id: string,
  matches: (row: TypedRow<'user'>) => boolean,
  { feed, views, clock }: Sources,
): Promise<TypedRow<'user'> | undefined> {
  let isLate = false
  let changed = Promise.withResolvers<void>()
  const unlisten = feed.onActor(id, () => changed.resolve())
  const cancelTimer = clock.after(timeoutMs, () => {
    isLate = true
    changed.resolve()
  })
  try {
    for (;;) {
      const isLast = isLate
      // It has subscribed before it reads, so it misses no change between the two.
      const row = await views.get('user', id)
      if (row && matches(row)) return row
      if (isLast) return undefined
      await changed.promise
      changed = Promise.withResolvers<void>()
    }
  } finally {
    unlisten()
    cancelTimer()
  }
}
