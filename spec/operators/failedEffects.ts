/** How many failed effects of one actor an answer shows: one that has more fails for one reason, and retries free the next ones. */
import * as v from 'valibot'
import { int } from '../core/types.ts'

export const failedEffectsMax = 10

export const moreEffects = v.pipe(
  int,
  v.description(`Failed effects of the actor that are not shown: of more than ${failedEffectsMax}, the first are.`),
)
