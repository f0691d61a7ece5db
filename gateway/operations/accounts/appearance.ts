/** Waits for the transition of a user that follows from a tell of `registration`. */
import type { TypedRow } from '../../../machines/rows.ts'
import type { GatewayOptions } from '../../options.ts'

const longestMs = 5_000

type Sources = Pick<GatewayOptions, 'feed' | 'views' | 'clock'>

/** Waits until the user exists. @returns undefined after five seconds */
export function appearance(id: string, sources: Sources): Promise<TypedRow<'user'> | undefined> {
  return untilRow(id, () => true, sources)
}

/** Waits until the user's row meets the condition. @returns undefined after five seconds */
export async function untilRow(
  id: string,
  fits: (row: TypedRow<'user'>) => boolean,
  { feed, views, clock }: Sources,
): Promise<TypedRow<'user'> | undefined> {
  let late = false
  let told = Promise.withResolvers<void>()
  const unlisten = feed.onActor(id, () => told.resolve())
  const cancelTimer = clock.after(longestMs, () => {
    late = true
    told.resolve()
  })
  try {
    for (;;) {
      const last = late
      // It has subscribed before it reads, so it misses no change between the two.
      const row = await views.get('user', id)
      if (row && fits(row)) return row
      if (last) return undefined
      await told.promise
      told = Promise.withResolvers<void>()
    }
  } finally {
    unlisten()
    cancelTimer()
  }
}
