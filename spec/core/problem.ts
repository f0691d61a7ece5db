import * as v from 'valibot'
import { named } from './types.ts'

export const problem = named(
  'Problem',
  'The reason of a failure.',
  v.object({
    code: v.pipe(v.string(), v.description('The code of the failure: `AGENT_LOST`, `NOT_ADMITTED` …')),
    message: v.pipe(v.string(), v.description('The reason, for a person.')),
  }),
)
