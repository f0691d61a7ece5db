import type { ActorEvent, Json } from '../../../../spec/core/actor.ts'
import type { ActorKind } from '../../../../spec/core/ids.ts'

export type Payload = Readonly<Record<string, unknown>>

export interface KindSamples {
  /** With which tests create an actor. */
  readonly init: Readonly<Record<string, Json>>
  /** Differences of other beginnings, so that all states are reached. */
  readonly otherInits?: readonly Readonly<Record<string, Json>>[]
  /** The events that an actor always receives first. */
  readonly openings?: readonly ActorEvent[]
  /** A plausible payload for each event. Each variant of an event has a name of its own: `complete FAILED`. */
  readonly events: Readonly<Record<string, Payload>>
}

/** The samples of some kinds. */
export type AreaSamples = Readonly<Partial<Record<ActorKind, KindSamples>>>
