import type { Announcement } from '../../machines/apps/binaryImage.ts'
import type { ActorEvent } from '../../spec/core/actor.ts'
import type { EffectHandler } from '../outbox/dispatcher.ts'

export interface SymbolicateWaitingPorts {
  /** Symbolicates some of the crash reports of an image, the newest first, and returns the event for the image. */
  readonly symbolicateWaiting: (requested: Announcement) => Promise<ActorEvent>
}

/** Symbolicates crash reports after a change of an image's symbols. A repeat finds those that have the symbols already, and skips them. */
export function symbolicateWaiting({ symbolicateWaiting: symbolicate }: SymbolicateWaitingPorts): EffectHandler {
  return async ({ params }) => await symbolicate(params as unknown as Announcement)
}
