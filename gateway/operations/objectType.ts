/** Objects of the GraphQL schema that are made from actors' rows. */
import type * as v from 'valibot'
import type { TypedRow } from '../../machines/rows.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import type { Schema } from '../../spec/core/types.ts'
import type { RequestContext } from './requestContext.ts'

/** An object of GraphQL. */
export type GraphqlObject = Readonly<Record<string, unknown>>

/** Fields of an object that lead to other objects. They load in batches: one query for each relation and level. */
export type Relation =
  | {
      readonly type: 'one'
      readonly target: string
      /** The parent's field with the ID of the other object, or null. */
      readonly by: string
    }
  | {
      /** An object of one of several types. The value is null if the object has a type that is not in `members`. */
      readonly type: 'union'
      readonly target: string
      /** The names of the object types. */
      readonly members: readonly string[]
      /** The union's own description in the schema. */
      readonly about: string
      /** The parent's field with the ID of the other object, or null. */
      readonly by: string
    }
  | {
      /** The objects whose IDs the parent has, in its order. Objects that no longer exist are omitted. */
      readonly type: 'list'
      readonly target: string
      /** The parent's field with the IDs of the other objects. */
      readonly by: string
      readonly most: number
    }
  | {
      /** A connection of actors that have the parent's ID in a column, newest first. */
      readonly type: 'connection'
      readonly target: string
      readonly kind: ActorKind
      /** The column of the other actors with the parent's ID. */
      readonly by: 'agentId' | 'worktreeId' | 'scopeId'
      /** If set, only actors that are, or are not, terminal. */
      readonly terminal?: boolean
    }
  | {
      /** A value that is computed from other rows and collections. One call serves all parents of a level, and returns values in their order. */
      readonly type: 'derived'
      readonly output: Schema
      /** An object schema. The field has no arguments if it is omitted. */
      readonly arguments?: Schema
      /** @param args the arguments, validated by `arguments` */
      load(
        parents: readonly GraphqlObject[],
        context: RelationContext,
        // biome-ignore lint/suspicious/noExplicitAny: each relation types its own arguments
        args: any,
      ): Promise<readonly unknown[]>
    }

/** The parts of a request from which relations are computed. */
export type RelationContext = Pick<
  RequestContext,
  'views' | 'contents' | 'crashThreads' | 'rawCrashReports' | 'presence' | 'now' | 'baseUrl'
>

export type Relations = Readonly<
  Record<string, Relation & { readonly description: string; readonly nullable: boolean }>
>

/** An object of the GraphQL schema that is made from an actor's row. */
export interface ObjectType<K extends ActorKind, S extends Schema = Schema> {
  readonly name: string
  readonly kind: K
  readonly schema: S
  /** The name of the interface that it implements, such as `Run`. The interface has the fields that all its objects have. */
  readonly implements?: string
  readonly relations: Relations
  /** Makes the object from a row. `__typename` is added if an interface needs it. */
  fromRow(row: TypedRow<K>, context: Pick<RequestContext, 'presence' | 'now' | 'baseUrl'>): v.InferInput<S>
  /** Returns false if relations must not return the row. If omitted, they return all rows. */
  isShown?(row: TypedRow<K>): boolean
}

/** An object type of any kind. */
export type AnyObjectType = { readonly [K in ActorKind]: ObjectType<K> }[ActorKind]

/** An object that is not made from the row of one kind: a part of other objects, or an actor of any kind. */
export interface PartType<S extends Schema = Schema> {
  readonly name: string
  /** Whether it implements `Node`: its ID is that of an actor. */
  readonly isNode?: true
  readonly schema: S
  readonly relations: Relations
}

export type CatalogType = AnyObjectType | PartType

/** Fields that GraphQL loads on request. */
export type Additions = Readonly<
  Record<string, Extract<Relation, { type: 'derived' }> & { readonly description: string; readonly nullable: boolean }>
>
