/** Reads the operator actions that an actor accepts, and previews messages. A preview is a dry run. */
import type { ActorEvent, ActorRef, ActorRow, JournalEntry, Json } from '../core/actor.ts'
import type { Failure } from '../core/failure.ts'
import type { ActorKind } from '../core/ids.ts'
import type { OperatorAction } from './operatorAction.ts'

export interface OperatorActionReader {
  /** The operator actions that the actor accepts in its current state. Undefined if the actor does not exist. */
  readAcceptedActions(ref: ActorRef): Promise<AcceptedOperatorActions | undefined>
  /** Nothing is written and no actor is notified. */
  previewMessage(message: PreviewableMessage, now: number): Promise<MessagePreview>
}

export interface AcceptedOperatorActions {
  readonly row: ActorRow
  /** Whether the kind accepts operator actions at all. */
  readonly operable: boolean
  /** Why the actor itself accepts none. Its failed effects can be decided on nevertheless, if the kind is operable. */
  readonly refusal: Failure | undefined
  /** The kind's events for operators for which the chart has transitions in this state. */
  readonly events: readonly {
    readonly event: string
    readonly label: string
    readonly ids: Readonly<Record<string, ActorKind>>
  }[]
  readonly states: readonly ForcedTransitionTarget[]
}

/** A state at the top of the lifecycle into which an operator may force the actor. `status` shows this state. */
export interface ForcedTransitionTarget {
  readonly state: string
  readonly label: string
  readonly terminal: boolean
}

export interface PreviewableMessage {
  readonly to: ActorRef
  readonly event: ActorEvent
  readonly create?: Readonly<Record<string, Json>> | undefined
  readonly operatorAction?: OperatorAction
}

export type MessagePreview =
  | {
      readonly type: 'transition'
      /** Undefined if the message would create the actor. */
      readonly before: ActorRow | undefined
      readonly after: ActorRow
      /** The transition as the journal would store it. */
      readonly entry: JournalEntry
      readonly tells: readonly PreviewableMessage[]
    }
  /** Nothing would be written: the message was processed before, or another one has the same effect. */
  | { readonly type: 'nothing'; readonly before: ActorRow }
  | { readonly type: 'refused'; readonly before: ActorRow | undefined; readonly failure: Failure }
