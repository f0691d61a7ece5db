import type { ActorRef } from '../../spec/core/actor.ts'

/** The event that an actor receives when its tell was refused. Sent only if its state accepts `refused`. A refusal is an answer. */
export interface Refused {
  readonly type: 'refused'
  readonly at: number
  readonly effect: 'tell'
  /** The type of the refused event. */
  readonly sent: string
  readonly by: ActorRef
  readonly code: string
  readonly message: string
  readonly echo?: unknown
}
