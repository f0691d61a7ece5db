/**
 * Bulk actions on runs: cancel or retry the runs of a filter, or listed runs. The preview counts the runs. The action is performed in steps
 * of a bounded number of runs, and each step names the next one.
 */
import * as v from 'valibot'
import { idempotencyKey } from '../core/idempotencyKey.ts'
import { oneOf } from '../core/oneOf.ts'
import { mutation, query } from '../core/operation.ts'
import { atMost, dateTime, id, idOf, int, named, text } from '../core/types.ts'
import { instant } from '../telemetry/instant.ts'
import { runFilterFields } from './runFilter.ts'
import { runSchema } from './runs.ts'

/** The maximum number of runs of one step, and of listed runs. */
export const bulkRunsMax = 100
export const bulkRefusalsMax = 20
/** The number of runs that a refusal names. */
export const bulkExamplesMax = 3

const bulkRunActionType = named(
  'BulkRunAction',
  'CANCEL: cancels each run that has not ended, as `cancelRun` does. RETRY: retries each run that has ended, as `retryRun` does.',
  v.picklist(['CANCEL', 'RETRY']),
)

export type BulkRunAction = v.InferOutput<typeof bulkRunActionType>

const runSelection = oneOf('RunSelectionInput', 'The runs of a bulk action: exactly one of these.', {
  filter: v.pipe(
    named(
      'RunFilterInput',
      'A filter of runs. Its fields have the meaning of the arguments of `runs`. Without fields it matches all runs.',
      v.object(runFilterFields),
    ),
    v.description('All runs that match the filter and were created before a given time.'),
  ),
  runIds: v.pipe(
    v.array(idOf('run')),
    v.minLength(1, 'must have at least one'),
    v.maxLength(bulkRunsMax, `must have at most ${bulkRunsMax}`),
    v.description(`At most ${bulkRunsMax} runs, each once.`),
  ),
})

export type RunSelection = v.InferOutput<typeof runSelection>

const refusal = named(
  'BulkRunRefusal',
  'A reason why runs cannot take the action.',
  v.object({
    code: v.pipe(v.string(), v.description('The code of the refusal: `FAILED_PRECONDITION`, `NOT_FOUND` …')),
    message: v.string(),
    count: v.pipe(int, v.description('The number of runs that are refused for this reason.')),
    runIds: v.pipe(
      atMost(bulkExamplesMax, id),
      v.description(`The first ${bulkExamplesMax} of them. Empty for runs that were only counted.`),
    ),
  }),
)

export const previewBulkRunAction = query({
  name: 'previewBulkRunAction',
  description:
    'Counts the runs that a bulk action would cancel or retry, and those that it would not, with the reasons. Nothing is written.',
  access: 'people',
  tool: {
    group: 'runs',
    name: 'preview_bulk_run_action',
    title: 'Preview a bulk action on runs',
    description:
      'Counts the runs that `perform_bulk_run_action` would cancel or retry: those of a `filter` (the arguments of `get_runs`), or ' +
      `listed \`runIds\`. \`refusals\` has the reasons why runs cannot take the action. Pass \`createdBefore\`, and ` +
      '`targetCount` as `expectedCount`, to `perform_bulk_run_action`.',
  },
  cost: 100,
  input: v.object({ action: bulkRunActionType, selection: runSelection }),
  output: named(
    'BulkRunActionPreview',
    'The runs that a bulk action would act on.',
    v.object({
      action: bulkRunActionType,
      matchingCount: v.pipe(int, v.description('The number of runs of the selection.')),
      targetCount: v.pipe(
        int,
        v.description(
          'The number of runs that the action would be tried on: runs that have not ended for CANCEL, and runs that have ended for RETRY. Listed runs are all tried. Pass it as `expectedCount`.',
        ),
      ),
      acceptingCount: v.pipe(
        int,
        v.description(
          'The number of targets that can take the action now. Targets that were not checked are counted as such.',
        ),
      ),
      refusals: atMost(bulkRefusalsMax, refusal),
      moreRefusals: v.pipe(int, v.description('The number of reasons that are not listed.')),
      uncheckedCount: v.pipe(
        int,
        v.description(
          `The number of targets whose retry was not tried. Each of the newest ${bulkRunsMax} is tried without effect. A cancel needs no trial.`,
        ),
      ),
      createdBefore: v.pipe(
        dateTime,
        v.description('The time of the preview. Only runs that were created before it are meant. Pass it on.'),
      ),
      stepMax: v.pipe(int, v.description('The number of runs of one `performBulkRunAction`. The newest come first.')),
    }),
  ),
})

export const performBulkRunAction = mutation({
  name: 'performBulkRunAction',
  description: `Cancels or retries up to ${bulkRunsMax} runs of a selection, the newest first. Each is independent of the others. Repeat it with \`continueAfter\` until that is null.`,
  access: 'people',
  tool: {
    openWorld: true,
    group: 'runs',
    title: 'Cancel or retry many runs',
    description:
      `Cancels or retries up to ${bulkRunsMax} runs of a selection, the newest first. \`results\` has the outcome of each run. If ` +
      '`continueAfter` is not null, call it again with `after: continueAfter` and `expectedCount: remainingCount`. Call ' +
      '`preview_bulk_run_action` first. A run gives `runIds` of runs that it has started, and no filter.',
    destroys: true,
  },
  input: v.object({
    action: bulkRunActionType,
    selection: runSelection,
    createdBefore: v.pipe(
      v.nullish(instant),
      v.description('The `createdBefore` of the preview. Required with a filter. Listed runs have none.'),
    ),
    expectedCount: v.pipe(
      v.nullish(v.pipe(int, v.minValue(0))),
      v.description(
        'The `targetCount` of the preview, or the `remainingCount` of the step before. Required with a filter. If more runs are left, nothing is done (CONFLICT). Fewer are accepted, because runs may have ended since.',
      ),
    ),
    after: v.pipe(
      v.nullish(idOf('run')),
      v.description('With a filter: the `continueAfter` of the step before. Omit it for the first step.'),
    ),
    reason: v.pipe(
      v.nullish(text({ min: 1, max: 500 })),
      v.description(
        'The reason for the action. The history of each run that changes has it, and so has the `problem` of a canceled run.',
      ),
    ),
    idempotencyKey,
  }),
  output: named(
    'PerformBulkRunActionPayload',
    'The outcomes of one step, in the order in which the runs were taken.',
    v.object({
      results: atMost(
        bulkRunsMax,
        named(
          'BulkRunActionResult',
          'The outcome for one run.',
          v.object({
            runId: id,
            done: v.boolean(),
            run: v.pipe(
              v.nullable(runSchema),
              v.description('The canceled run, or the new run of a retry. Null if the action was refused.'),
            ),
            code: v.pipe(
              v.nullable(v.string()),
              v.description('The code of the refusal: `FAILED_PRECONDITION`, `NOT_FOUND` …'),
            ),
            message: v.nullable(v.string()),
          }),
        ),
      ),
      remainingCount: v.pipe(int, v.description('The number of targets that later steps will try.')),
      continueAfter: v.pipe(v.nullable(id), v.description('The `after` of the next step. Null if no target is left.')),
    }),
  ),
})
