import * as v from 'valibot'
import { dateTime, id, int, named } from '../core/types.ts'

export const planRevision = named(
  'PlanRevision',
  'A version of the text of a plan.',
  v.object({
    revision: v.pipe(int, v.description('Counts from 1.')),
    text: v.string(),
    diff: v.pipe(
      v.nullable(v.string()),
      v.description(
        'The difference from the revision before, in the unified format of `diff`. Null for the first one.',
      ),
    ),
    runId: v.pipe(v.nullable(id), v.description('The run whose answer is the text. Null if a person wrote the text.')),
    authorId: v.pipe(id, v.description('The user, API key or run that wrote the text.')),
    createdAt: dateTime,
  }),
)
