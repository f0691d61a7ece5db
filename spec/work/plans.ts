/** Plans: documents that plan runs create or revise and that a session carries out. */
import * as v from 'valibot'
import { connectionOf, orderByOf, pageArguments } from '../core/connections.ts'
import { oneById } from '../core/oneById.ts'
import { mutation, query } from '../core/operation.ts'
import { expectedRevision } from '../core/revision.ts'
import { dateTime, id, idOf, int, named, text } from '../core/types.ts'
import { usageTotals } from '../runs/usage.ts'

export const planStatus = named(
  'PlanStatus',
  'The status of a plan. READY: it can be carried out.',
  v.picklist(['DRAFT', 'READY', 'RUNNING', 'COMPLETED', 'FAILED', 'ARCHIVED']),
)

export const planSchema = named(
  'Plan',
  'A plan of AI work on a worktree.',
  v.object({
    id,
    title: v.string(),
    status: planStatus,
    worktreeId: id,
    lastRunId: v.nullable(id),
    sessionId: v.pipe(
      v.nullable(id),
      v.description(
        'The ID of the session that carries out the plan, or did so last. Null if it was never carried out.',
      ),
    ),
    revision: v.pipe(
      int,
      v.description(
        'The number of the last revision of the text, or 0 if there is none. An edit takes it as `expectedRevision`.',
      ),
    ),
    usage: usageTotals,
    createdAt: dateTime,
  }),
)

export const plan = query({
  ...oneById('plan', planSchema),
  tool: {
    group: 'runs',
    name: 'get_plan',
    title: 'Get a plan',
    description:
      'Returns one plan by its ID (`pln_…`): the task that was requested, the current text, its latest revisions, and the runs ' +
      'that created and revised the plan. `create_run_follow_up` on its last run revises the plan, `update_plan` edits its text, ' +
      'and `play_plan` carries it out.',
  },
})

export const plans = query({
  name: 'plans',
  description: 'Plans, newest first.',
  access: 'people',
  tool: {
    group: 'runs',
    name: 'get_plans',
    title: 'List plans',
    description:
      'Lists plans of AI work, newest first: title, status, last run, and the session that carries out the plan. Filter by ' +
      '`worktreeId`, `agentId` and `statuses`. A READY plan can be carried out. `after: pageInfo.endCursor` continues the ' +
      'list. `get_plan` returns the text of a plan.',
  },
  input: v.object({
    ...pageArguments,
    orderBy: orderByOf('Plan', ['CREATED_AT']),
    worktreeId: v.nullish(idOf('worktree')),
    agentId: v.nullish(idOf('agent')),
    statuses: v.pipe(
      v.nullish(v.pipe(v.array(planStatus), v.maxLength(6))),
      v.description('Returns only plans with one of these statuses.'),
    ),
  }),
  output: connectionOf('Plan', planSchema),
})

export const archivePlan = mutation({
  name: 'archivePlan',
  description: 'Archives a plan. A session that carries it out continues. `unarchivePlan` restores the plan.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Archive a plan',
    description:
      'Archives a plan: it can no longer be revised or carried out. A session that carries it out continues. `unarchive_plan` ' +
      'restores the plan.',
    idempotent: true,
  },
  input: v.object({ planId: idOf('plan') }),
  output: named('ArchivePlanPayload', 'The plan after the change.', v.object({ plan: planSchema })),
})

export const unarchivePlan = mutation({
  name: 'unarchivePlan',
  description: 'Restores an archived plan to the status that it had, or that its runs have given it since.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Unarchive a plan',
    description: 'Restores an archived plan to the status that it had, or that its runs have given it since.',
    idempotent: true,
  },
  input: v.object({ planId: idOf('plan') }),
  output: named('UnarchivePlanPayload', 'The plan after the change.', v.object({ plan: planSchema })),
})

/** The largest text of a plan that a person can write, in characters. */
const planTextMax = 200_000

export const updatePlan = mutation({
  name: 'updatePlan',
  description: 'Replaces the text of a plan by a text of the caller, as a new revision. The plan becomes READY.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Edit a plan',
    description:
      'Replaces the text of a plan, as a new revision. Former revisions stay, and `play_plan` can carry out each. The plan becomes ' +
      'READY. It is refused while a session carries out the plan.',
    idempotent: true,
  },
  input: v.object({
    planId: idOf('plan'),
    text: v.pipe(text({ min: 1, max: planTextMax }), v.description('The new text of the plan.')),
    expectedRevision,
  }),
  output: named('UpdatePlanPayload', 'The plan after the change.', v.object({ plan: planSchema })),
})
