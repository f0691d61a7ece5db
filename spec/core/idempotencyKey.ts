import * as v from 'valibot'
import { text } from './types.ts'

/** A field in the input of mutations whose repeat must have no second effect. */
export const idempotencyKey = v.pipe(
  v.nullish(text({ min: 1, max: 200 })),
  v.description('The client’s name for the request. A repeat with the same key within 24 hours has no second effect.'),
)
