import * as v from 'valibot'
import type { ActorKind } from './ids.ts'
import { idOf, type Schema } from './types.ts'

/** What the queries of one object by its ID have in common: named as its kind; null where there is none. */
export function oneById<const S extends Schema>(kind: ActorKind, schema: S) {
  return {
    name: kind as string,
    description: `One ${kind}, by its ID.`,
    access: 'people',
    input: v.object({ id: idOf(kind) }),
    output: v.nullable(schema),
  } as const
}
