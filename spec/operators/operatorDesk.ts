/** What operators may know before they act: what they could do to an actor, and what would come of it. */
import type { ActorEvent, ActorRef, ActorRow, JournalEntry, Json } from '../core/actor.ts'
import type { Failure } from '../core/failure.ts'
import type { ActorKind } from '../core/ids.ts'
import type { OperatorAct } from './operatorAct.ts'

export interface OperatorDesk {
  /** What its chart, as it stands, takes of operators; undefined where there is no such actor. */
  menu(ref: ActorRef): Promise<ActMenu | undefined>
  /** What the message would do now. Nothing is written and nobody is told. */
  foresee(message: ForeseenMessage, now: number): Promise<Foreseen>
}

export interface ActMenu {
  readonly row: ActorRow
  /** Whether the kind takes acts of operators at all. */
  readonly operable: boolean
  /** Those of the kind's events for operators that the chart has transitions for in this state. */
  readonly events: readonly {
    readonly event: string
    readonly label: string
    readonly ids: Readonly<Record<string, ActorKind>>
  }[]
  /** The states that the lifecycle can be moved to. */
  readonly states: readonly { readonly state: string; readonly label: string; readonly terminal: boolean }[]
}

export interface ForeseenMessage {
  readonly to: ActorRef
  readonly event: ActorEvent
  readonly create?: Readonly<Record<string, Json>> | undefined
  readonly act?: OperatorAct
}

export type Foreseen =
  | {
      readonly type: 'step'
      /** Undefined where the message would make the actor. */
      readonly before: ActorRow | undefined
      readonly after: ActorRow
      /** As it would stand in the journal. */
      readonly step: JournalEntry
      readonly tells: readonly ForeseenMessage[]
    }
  /** It was done before, or is done by another: nothing would be written. */
  | { readonly type: 'nothing'; readonly before: ActorRow }
  | { readonly type: 'refused'; readonly before: ActorRow | undefined; readonly failure: Failure }
