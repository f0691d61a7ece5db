/** Waits for what a user does that `registration` has been told to tell it. */
import type { TypedRow } from '../../../machines/rows.ts'
import type { GatewayOptions } from '../../options.ts'

const longestMs = 5_000

type Sources = Pick<GatewayOptions, 'feed' | 'views' | 'clock'>

/** Until it is there. @returns undefined where it has not come in five seconds */
export function appearance(id: string, sources: Sources): Promise<TypedRow<'user'> | undefined> {
  return untilRow(id, () => true, sources)
}

/** Until its row fits. @returns undefined where it has not in five seconds */
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
      // Listening comes before reading: what happens in between is not missed.
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
