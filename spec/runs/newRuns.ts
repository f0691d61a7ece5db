/** The input and the payload of operations that create runs. The owner of a run is a plan, a session or a workflow. */
import * as v from 'valibot'
import { int, named } from '../core/types.ts'
import { runSchema } from './runs.ts'

export const timeoutSeconds = v.pipe(
  v.nullish(v.pipe(int, v.minValue(1), v.maxValue(7 * 86_400))),
  v.description('The number of seconds after which the run is ended as TIMED_OUT. Default: 14,400 (4 hours).'),
)

export const runPayload = (typeName: string) => named(typeName, 'The run.', v.object({ run: runSchema }))
