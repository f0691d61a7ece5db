import type { ActorRow } from './actor.ts'
import type { Reply } from './operation.ts'

/** The row that the message with this index led to. */
export function rowAt(replies: readonly Reply[], index = 0): ActorRow {
  const reply = replies[index]
  if (reply === undefined) throw new Error(`message ${index} was not answered`)
  return reply.row
}
