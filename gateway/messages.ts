/** Messages to the actors of the product's kinds. */
import type * as runtime from '../actors/messages.ts'
import type { ActorKind } from '../spec/core/kinds.ts'

export type { AskOptions, Origin } from '../actors/messages.ts'
export type Envelope = runtime.Envelope<ActorKind>
export type Reply = runtime.Reply<ActorKind>
export type System = runtime.System<ActorKind>
