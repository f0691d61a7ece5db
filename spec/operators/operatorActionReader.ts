/** Reads the operator actions that an actor accepts, and previews messages. A preview is a dry run. */
import type { ActorEvent, ActorRef, ActorRow, JournalEntry, Json } from '../core/actor.ts'
import type { Failure } from '../core/failure.ts'
import type { ActorKind } from '../core/ids.ts'
import type { OperatorAction } from './operatorAction.ts'

export interface OperatorActionReader<K extends string = ActorKind> {
  /** The operator actions that the actor accepts in its current state. Undefined if the actor does not exist. */
  readAcceptedActions(ref: ActorRef<K>): Promise<AcceptedOperatorActions<K> | undefined>
  /** Nothing is written and no actor is notified. */
  previewMessage(message: PreviewableMessage<K>, now: number): Promise<MessagePreview<K>>
}

export interface AcceptedOperatorActions<K extends string = ActorKind> {
  readonly row: ActorRow<K>
  /** Whether the kind accepts operator actions at all. */
  readonly operable: boolean
  /**
   * The reason why the actor itself accepts none. Its failed effects can be retried or given up nevertheless, if the kind is
   * operable.
   */
  readonly refusal: Failure | undefined
  /** The kind's events for operators for which the chart has transitions in this state. */
  readonly events: readonly {
    readonly event: string
    readonly label: string
    readonly ids: Readonly<Record<string, readonly K[]>>
  }[]
  readonly states: readonly ForcedTransitionTarget[]
}

/** A state at the top of the lifecycle into which an operator may force the actor. `status` shows this state. */
export interface ForcedTransitionTarget {
  readonly state: string
  readonly label: string
  readonly terminal: boolean
}

export interface PreviewableMessage<K extends string = ActorKind> {
  readonly to: ActorRef<K>
  readonly event: ActorEvent
  readonly create?: Readonly<Record<string, Json>> | undefined
  readonly operatorAction?: OperatorAction
}

export type MessagePreview<K extends string = ActorKind> =
  | {
      readonly type: 'transition'
      /** Undefined if the message would create the actor. */
      readonly before: ActorRow<K> | undefined
      readonly after: ActorRow<K>
      /** The transition as the journal would store it. */
      readonly entry: JournalEntry<K>
      readonly tells: readonly PreviewableMessage<K>[]
    }
  /** Nothing would be written: the message was processed before, or another one has the same effect. */
  | { readonly type: 'nothing'; readonly before: ActorRow<K> }
  | { readonly type: 'refused'; readonly before: ActorRow<K> | undefined; readonly failure: Failure }
