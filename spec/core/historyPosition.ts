/**
 * A place in the history of all actors. Its order is that of the transactions that committed the steps, and in each that of
 * the actors' IDs: an actor has at most one step in a transaction.
 */
import { fromCursor, notACursor, toCursor } from './connections.ts'

export interface HistoryPosition {
  readonly tx: number
  /** An actor's ID; the empty text stands before all of them. */
  readonly actor: string
}

/** Negative where `a` comes first. */
export function comparePositions(a: HistoryPosition, b: HistoryPosition): number {
  return a.tx - b.tx || (a.actor < b.actor ? -1 : a.actor > b.actor ? 1 : 0)
}

/** As callers get it and give it back. */
export function cursorOf({ tx, actor }: HistoryPosition): string {
  return toCursor(`${tx}_${actor}`)
}

/** @throws Failure BAD_USER_INPUT */
export function positionOf(cursor: string, field: string): HistoryPosition {
  const [, tx = '', actor = ''] = /^(\d{1,15})_(\w+)$/.exec(fromCursor(cursor, field)) ?? []
  if (actor === '') throw notACursor(field)
  return { tx: Number(tx), actor }
}
