/** The types of actors and machines for the runtime, which works with any kinds. */
import type { Definition, MachineContext, Tell } from '../machines/framework/define.ts'
import type { ActorEvent, ActorRef, ActorRow, JournalEntry, Json, PendingEffect } from '../spec/core/actor.ts'
import type {
  AcceptedOperatorActions,
  MessagePreview,
  PreviewableMessage,
} from '../spec/operators/operatorActionReader.ts'

export type AnyActorRef = ActorRef<string>
export type AnyActorRow = ActorRow<string>
export type AnyJournalEntry = JournalEntry<string>
export type AnyPendingEffect = PendingEffect<string>
export type AnyTell = Tell<string>
export type AnyAcceptedOperatorActions = AcceptedOperatorActions<string>
export type AnyPreviewableMessage = PreviewableMessage<string>
export type AnyMessagePreview = MessagePreview<string>
export type KindDefinition<K extends string> = Definition<MachineContext, Json, ActorEvent, K>
export type AnyDefinition = KindDefinition<string>
