/**
 * The most failed effects of one actor that an answer shows. If an actor has more, they usually have one cause, and retries make
 * room for the next ones.
 */
import * as v from 'valibot'
import { int } from '../core/types.ts'

export const failedEffectsMax = 10

export const moreEffects = v.pipe(
  int,
  v.description(
    `The number of the actor’s failed effects that are not returned. At most ${failedEffectsMax} are returned.`,
  ),
)
