/** The input and the payload of operations that create runs. The owner of a run is a plan, a session or a workflow. */
import * as v from 'valibot'
import { int, named } from '../core/types.ts'
import { runSchema } from './runs.ts'

export const timeoutSeconds = v.pipe(
  v.nullish(v.pipe(int, v.minValue(1), v.maxValue(7 * 86_400))),
  v.description(
    'The time limit in seconds, after which the run is TIMED_OUT. It does not count while the run is paused or waits for an answer. Default: 14,400 (4 hours).',
  ),
)

export const runPayload = (typeName: string) => named(typeName, 'The run.', v.object({ run: runSchema }))
