/**
 * A position in the history of all actors. It is ordered by the transactions that committed the transitions, and within one
 * transaction by the actors' IDs: an actor has at most one transition in a transaction.
 */
import { fromCursor, notACursor, toCursor } from './connections.ts'

export interface HistoryPosition {
  readonly tx: number
  /** An actor's ID. The empty text sorts before all of them. */
  readonly actor: string
}

/** Negative if `a` comes first. */
export function comparePositions(a: HistoryPosition, b: HistoryPosition): number {
  return a.tx - b.tx || (a.actor < b.actor ? -1 : a.actor > b.actor ? 1 : 0)
}

/** The format in which callers receive and send it. */
export function cursorOf({ tx, actor }: HistoryPosition): string {
  return toCursor(`${tx}_${actor}`)
}

/** @throws Failure BAD_USER_INPUT */
export function positionOf(cursor: string, field: string): HistoryPosition {
  const [, tx = '', actor = ''] = /^(\d{1,15})_(\w+)$/.exec(fromCursor(cursor, field)) ?? []
  if (actor === '') throw notACursor(field)
  return { tx: Number(tx), actor }
}
