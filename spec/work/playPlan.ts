/** Plays a plan: creates a session whose first run receives the plan. */
import * as v from 'valibot'
import { idempotencyKey } from '../agents/enrollments.ts'
import { mutation } from '../core/operation.ts'
import { idOf, named, text } from '../core/types.ts'
import { timeoutSeconds } from '../runs/newRuns.ts'
import { runConfiguration } from '../runs/runRequests.ts'
import { runSchema } from '../runs/runs.ts'
import { mcpPresetIds } from '../tools/toolGrants.ts'
import { sessionSchema } from './sessions.ts'

export const playPlan = mutation({
  name: 'playPlan',
  description: 'Carries a plan out: makes a session and its first run, which is told what the plan says.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'runs',
    title: 'Carry out a plan',
    description:
      'Carries out a plan that is READY, or again one that is COMPLETED or FAILED: makes a session whose first run is given the plan’s ' +
      'text, on the plan’s worktree unless `worktreeId` names another. Follow the run with `get_run`; the plan is COMPLETED or FAILED ' +
      'as the session ends. Read the plan first with `get_plan`. Refused while another session carries it out.',
  },
  input: v.object({
    planId: idOf('plan'),
    worktreeId: v.pipe(v.nullish(idOf('worktree')), v.description('Where; on the plan’s own worktree where omitted.')),
    title: v.pipe(v.nullish(text({ min: 1, max: 200 })), v.description('Of the session; the plan’s where omitted.')),
    prompt: v.pipe(
      v.nullish(text({ min: 1, max: 100_000 })),
      v.description('What the coding CLI is told beside the plan.'),
    ),
    cli: v.pipe(
      v.nullish(text({ min: 1, max: 100 })),
      v.description('Which of the machine’s coding CLIs; the one that made the plan where omitted.'),
    ),
    configuration: v.nullish(runConfiguration),
    timeoutSeconds,
    mcpPresetIds,
    idempotencyKey,
  }),
  output: named(
    'PlayPlanPayload',
    'The session that carries it out, and its first run.',
    v.object({ session: sessionSchema, run: runSchema }),
  ),
})
