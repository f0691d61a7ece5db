/** Plays a plan: creates a session whose first run receives the plan. */
import * as v from 'valibot'
import { idempotencyKey } from '../core/idempotencyKey.ts'
import { mutation } from '../core/operation.ts'
import { idOf, int, named, text } from '../core/types.ts'
import { attachmentIds } from '../runs/attachments.ts'
import { timeoutSeconds } from '../runs/newRuns.ts'
import { runConfiguration } from '../runs/runConfiguration.ts'
import { runSchema } from '../runs/runs.ts'
import { mcpPresetIds } from '../tools/toolGrants.ts'
import { sessionSchema } from './sessions.ts'

export const playPlan = mutation({
  name: 'playPlan',
  description: 'Carries out a plan: creates a session whose first run receives the text of the plan.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'runs',
    title: 'Carry out a plan',
    description:
      'Carries out a plan that is READY, or again one that is COMPLETED or FAILED: creates a session whose first run receives ' +
      'the text of the plan. The run executes on the plan’s worktree unless `worktreeId` names another. Read the plan first ' +
      'with `get_plan`, and follow the run with `get_run`. The plan becomes COMPLETED or FAILED when the session ends. It is ' +
      'refused while another session carries out the plan.',
  },
  input: v.object({
    planId: idOf('plan'),
    revision: v.pipe(
      v.nullish(v.pipe(int, v.minValue(1), v.maxValue(1_000_000))),
      v.description('The revision of the plan that is carried out. Default: the last one.'),
    ),
    worktreeId: v.pipe(
      v.nullish(idOf('worktree')),
      v.description('The worktree on which the plan is carried out. Default: the plan’s worktree.'),
    ),
    title: v.pipe(
      v.nullish(text({ min: 1, max: 200 })),
      v.description('The title of the session. Default: the title of the plan.'),
    ),
    prompt: v.pipe(
      v.nullish(text({ min: 1, max: 100_000 })),
      v.description('Instructions for the coding CLI in addition to the plan.'),
    ),
    cli: v.pipe(
      v.nullish(text({ min: 1, max: 100 })),
      v.description('The name of a coding CLI on the agent’s machine. Default: the one that created the plan.'),
    ),
    configuration: v.nullish(runConfiguration),
    timeoutSeconds,
    mcpPresetIds,
    attachmentIds,
    idempotencyKey,
  }),
  output: named(
    'PlayPlanPayload',
    'The session that carries out the plan, and its first run.',
    v.object({ session: sessionSchema, run: runSchema }),
  ),
})
