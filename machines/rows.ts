/** Actors as reads return them, with the types of their own machines. */
import type { ActorRow } from '../spec/core/actor.ts'
import type { ActorKind } from '../spec/core/ids.ts'
import type { TypedDefinition } from './framework/define.ts'
import type { machines } from './machines.ts'

type ContextOf<D> = D extends TypedDefinition<ActorKind, infer C> ? C : never

/** Without the index signature that every machine's context has, and without what is stored elsewhere. */
type Stored<C> = {
  readonly [Key in keyof C as string extends Key ? never : Key extends 'init' | 'members' ? never : Key]: C[Key]
}

/** The values that an actor of a kind is created with. They never change. */
export type ActorInit<K extends ActorKind> =
  ContextOf<(typeof machines)[K]> extends { readonly init: infer I } ? Readonly<I> : never

/** The context of an actor of a kind, without the values that it was created with. */
export type ActorContext<K extends ActorKind> = Stored<ContextOf<(typeof machines)[K]>>

export interface TypedRow<K extends ActorKind> extends Omit<ActorRow, 'kind' | 'init' | 'context'> {
  readonly kind: K
  readonly init: ActorInit<K>
  readonly context: ActorContext<K>
}

/**
 * Whether the row is of the kind, and so has its types. Safe because only its own machine writes the rows of a kind, and the
 * start migrates or refuses those of other versions.
 */
export function isRowOfKind<K extends ActorKind>(kind: K, row: ActorRow): row is TypedRow<K> {
  return row.kind === kind
}

/** The rows of all kinds, by kind. */
export type TypedRows = { readonly [K in ActorKind]: TypedRow<K> }
