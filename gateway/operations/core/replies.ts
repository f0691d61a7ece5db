import type { Envelope, Reply } from '../../../actors/messages.ts'
import type { ActorRow } from '../../../spec/core/actor.ts'
import type { Translation } from '../handler.ts'

/** The row that the message with this index led to. */
export function rowAt(replies: readonly Reply[], index = 0): ActorRow {
  const reply = replies[index]
  if (reply === undefined) throw new Error(`message ${index} was not answered`)
  return reply.row
}

/** A request that is one message. */
export function oneMessage<T>(envelope: Envelope, answer: (row: ActorRow) => T): Translation<T> {
  return { messages: [envelope], answer: (replies) => answer(rowAt(replies)) }
}
