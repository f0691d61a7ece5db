import { isRowOfKind, type TypedRow } from '../../../machines/rows.ts'
import type { ActorRow } from '../../../spec/core/actor.ts'
import type { ActorKind } from '../../../spec/core/ids.ts'
import type { Envelope, Reply } from '../../messages.ts'
import type { Translation } from '../handler.ts'

/** The row of that kind that the message with this index returned. */
export function rowAt<K extends ActorKind>(kind: K, replies: readonly Reply[], index = 0): TypedRow<K> {
  const row = replies[index]?.row
  if (row === undefined) throw new Error(`message ${index} was not answered`)
  return requireKind(kind, row)
}

/** The row with the types of its kind. @throws if it is of another kind */
export function requireKind<K extends ActorKind>(kind: K, row: ActorRow): TypedRow<K> {
  if (!isRowOfKind(kind, row)) throw new Error(`${row.id} is not the ID of a ${kind}`)
  return row
}

/** A request that is one message. */
export function oneMessage<K extends ActorKind, T>(
  envelope: Envelope & { readonly to: { readonly kind: K } },
  answer: (row: TypedRow<K>) => T,
): Translation<T> {
  return { messages: [envelope], answer: (replies) => answer(rowAt(envelope.to.kind, replies)) }
}
