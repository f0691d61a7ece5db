/** The operator actions that an actor accepts, and their previews. */
import type { ActorEvent, ActorRef, ActorRow, JournalEntry, Json } from '../core/actor.ts'
import type { Failure } from '../core/failure.ts'
import type { ActorKind } from '../core/ids.ts'
import type { OperatorAction } from './operatorAction.ts'

export interface OperatorDesk {
  /** The operator actions that its chart accepts in its current state; undefined if the actor does not exist. */
  menu(ref: ActorRef): Promise<ActMenu | undefined>
  /** The preview of a message. Nothing is written and no actor is notified. */
  foresee(message: ForeseenMessage, now: number): Promise<Foreseen>
}

export interface ActMenu {
  readonly row: ActorRow
  /** Whether the kind accepts operator actions at all. */
  readonly operable: boolean
  /** The kind's events for operators for which the chart has transitions in this state. */
  readonly events: readonly {
    readonly event: string
    readonly label: string
    readonly ids: Readonly<Record<string, ActorKind>>
  }[]
  /** The target states of a forced transition. */
  readonly states: readonly { readonly state: string; readonly label: string; readonly terminal: boolean }[]
}

export interface ForeseenMessage {
  readonly to: ActorRef
  readonly event: ActorEvent
  readonly create?: Readonly<Record<string, Json>> | undefined
  readonly act?: OperatorAction
}

export type Foreseen =
  | {
      readonly type: 'step'
      /** Undefined if the message would create the actor. */
      readonly before: ActorRow | undefined
      readonly after: ActorRow
      /** The transition as the journal would store it. */
      readonly step: JournalEntry
      readonly tells: readonly ForeseenMessage[]
    }
  /** Nothing would be written: the message was processed before, or another one has the same effect. */
  | { readonly type: 'nothing'; readonly before: ActorRow }
  | { readonly type: 'refused'; readonly before: ActorRow | undefined; readonly failure: Failure }
