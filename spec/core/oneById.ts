import * as v from 'valibot'
import type { ActorKind } from './ids.ts'
import { idOf, type Schema } from './types.ts'

/**
 * The common part of queries for one object by its ID. The query has the name of the kind, and returns null if the object does
 * not exist.
 */
export function oneById<const S extends Schema>(kind: ActorKind, schema: S) {
  return {
    name: kind as string,
    description: `Returns one ${kind} by its ID. Null if it does not exist.`,
    access: 'people',
    input: v.object({ id: idOf(kind) }),
    output: v.nullable(schema),
  } as const
}
