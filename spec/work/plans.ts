/** Plans: what a PlanRun makes or revises and a session carries out. */
import * as v from 'valibot'
import { connectionOf, orderByOf, pageArguments } from '../core/connections.ts'
import { oneById } from '../core/oneById.ts'
import { mutation, query } from '../core/operation.ts'
import { dateTime, id, idOf, named } from '../core/types.ts'

export const planStatus = named(
  'PlanStatus',
  'How a plan stands.',
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
    sessionId: v.pipe(v.nullable(id), v.description('The session that carries it out, or did so last.')),
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
      'One plan by its ID (`pln_…`): the task that it was asked for with, the text that it says now, and the runs that made and revised ' +
      'it. `create_run_follow_up` on its last run revises it, `play_plan` carries it out.',
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
      'Lists plans of AI work, newest first: title, how each stands, its last run, the session that carries it out. Filter by ' +
      '`worktreeId`, `agentId` and `statuses`; a READY one can be carried out. Go on with `after: pageInfo.endCursor`; see `get_plan` ' +
      'for what one says.',
  },
  input: v.object({
    ...pageArguments,
    orderBy: orderByOf('Plan', ['CREATED_AT']),
    worktreeId: v.nullish(idOf('worktree')),
    agentId: v.nullish(idOf('agent')),
    statuses: v.pipe(
      v.nullish(v.pipe(v.array(planStatus), v.maxLength(6))),
      v.description('Only plans that stand so.'),
    ),
  }),
  output: connectionOf('Plan', planSchema),
})

export const archivePlan = mutation({
  name: 'archivePlan',
  description: 'Puts a plan away for good. A session that carries it out goes on.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Archive a plan',
    description:
      'Puts a plan away for good: it can’t be revised or carried out any more. A session that carries it out goes on.',
    destroys: true,
    idempotent: true,
  },
  input: v.object({ planId: idOf('plan') }),
  output: named('ArchivePlanPayload', 'The plan after the change.', v.object({ plan: planSchema })),
})
