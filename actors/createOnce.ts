import type { ActorRef } from '../spec/core/actor.ts'
import { Failure } from '../spec/core/failure.ts'
import type { System } from './messages.ts'

interface CreateOnceParts<K extends string> {
  readonly system: Pick<System<K>, 'ask'>
  readonly exists: (to: ActorRef<K>) => Promise<boolean>
  readonly now: number
}

/** Creates an actor that exists once, together with the database. */
export async function createOnce<K extends string>(
  to: ActorRef<K>,
  { system, exists, now }: CreateOnceParts<K>,
): Promise<void> {
  if (await exists(to)) return
  const origin = { cause: 'migration', principal: 'system', requestId: 'start', receivedAt: now } as const
  await system.ask({ to, event: { type: 'created' }, create: {} }, origin).catch((error: unknown) => {
    // Another process that starts at the same time has created it.
    if (!(error instanceof Failure) || error.code !== 'CONFLICT') throw error
  })
}
