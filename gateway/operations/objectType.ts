/** Objects of the GraphQL schema that are made of actors' rows. */
import type * as v from 'valibot'
import type { TypedRow } from '../../machines/rows.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import type { Schema } from '../../spec/core/types.ts'
import type { RequestContext } from './requestContext.ts'

/** An object that is made of an actor's row, as those who ask see it. */
export type Made = Readonly<Record<string, unknown>>

/** Fields of an object that lead to other objects. They load in batches: one query for each relation and level. */
export type Relation =
  | {
      readonly type: 'one'
      readonly target: string
      /** The parent's field that holds the other's ID, or null. */
      readonly by: string
    }
  | {
      readonly type: 'many'
      readonly target: string
      readonly kind: ActorKind
      /** The others' column that holds the parent's ID. */
      readonly by: 'agentId' | 'worktreeId' | 'scopeId'
      /** At most so many, newest first. A relation made by `countOf` beside it says how many there are. */
      readonly limit: number
      /** Only those that are, or are not, terminal. */
      readonly terminal?: boolean
    }
  | {
      /** What is worked out of other rows and collections: one call for all parents of a level, answers in their order. */
      readonly type: 'derived'
      readonly output: Schema
      load(
        parents: readonly Made[],
        context: Pick<RequestContext, 'views' | 'presence' | 'now'>,
      ): Promise<readonly unknown[]>
    }

export type Relations = Readonly<
  Record<string, Relation & { readonly description: string; readonly nullable: boolean }>
>

/** An object of the GraphQL schema that is made of an actor's row. */
export interface ObjectType<K extends ActorKind, S extends Schema = Schema> {
  readonly name: string
  readonly kind: K
  readonly schema: S
  /** The interface it implements, by name: `Run`. Its fields are the implementing objects' common ones. */
  readonly implements?: string
  readonly relations: Relations
  /** The object for a row. `__typename` is added where an interface needs it. */
  fromRow(row: TypedRow<K>, context: Pick<RequestContext, 'presence' | 'now'>): v.InferInput<S>
}

/** An object type of any kind. */
export type AnyObjectType = { readonly [K in ActorKind]: ObjectType<K> }[ActorKind]

/** Fields that GraphQL loads when they are asked for. */
export type Additions = Readonly<
  Record<string, Extract<Relation, { type: 'derived' }> & { readonly description: string; readonly nullable: boolean }>
>
