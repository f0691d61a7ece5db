/** Waits for an actor that another one has been told to make. */
import type { ActorRow } from '../../../spec/actor.ts'
import type { GatewayOptions } from '../../options.ts'

const longestMs = 5_000

/** @returns undefined where it has not come in five seconds */
export async function appearance(
  id: string,
  { feed, views, clock }: Pick<GatewayOptions, 'feed' | 'views' | 'clock'>,
): Promise<ActorRow | undefined> {
  let unlisten = (): void => {}
  let cancelTimer = (): void => {}
  const told = new Promise<void>((resolve) => {
    unlisten = feed.onActor(id, () => resolve())
    cancelTimer = clock.after(longestMs, resolve)
  })
  try {
    // Listening comes before reading: what happens in between is not missed.
    const row = await views.get(id)
    if (row) return row
    await told
    return await views.get(id)
  } finally {
    unlisten()
    cancelTimer()
  }
}
