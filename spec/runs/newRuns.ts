/** How a run comes to be: on a worktree that can be used, by leave of the plan, session or workflow that it is a run of. */
import * as v from 'valibot'
import { int, named } from '../core/types.ts'
import { runSchema } from './runs.ts'

export const timeoutSeconds = v.pipe(
  v.nullish(v.pipe(int, v.minValue(1), v.maxValue(7 * 86_400))),
  v.description('After so many seconds it is ended as TIMED_OUT; 14,400 (4 hours) where nothing is said.'),
)

export const runPayload = (typeName: string) => named(typeName, 'The run.', v.object({ run: runSchema }))
