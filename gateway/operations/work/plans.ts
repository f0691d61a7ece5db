import type * as v from 'valibot'
import { toDateTime } from '../../../spec/core/types.ts'
import { archivePlan, plan, planSchema, type planStatus, plans } from '../../../spec/work/plans.ts'
import { pageOfRows } from '../core/connections.ts'
import { countOf } from '../core/countOf.ts'
import { oneMessage } from '../core/replies.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { ObjectType } from '../objectType.ts'
import { runObject } from '../runs/runs.ts'
import { planContent } from './planContent.ts'
import { latestTurns, turnsTouched } from './turnsOf.ts'

export const planType: ObjectType<'plan', typeof planSchema> = {
  name: 'Plan',
  kind: 'plan',
  schema: planSchema,
  relations: {
    runs: {
      type: 'many',
      target: 'PlanRun',
      kind: 'run',
      by: 'scopeId',
      limit: 100,
      nullable: false,
      description:
        'The latest 100 runs that made and revised it, newest first. The query `runs` gives all, page by page.',
    },
    runCount: countOf({ kind: 'run', by: 'scopeId' }, 'How many runs made and revised it.'),
  },
  fromRow: (row) => {
    const { title, worktreeId } = row.init
    const { lastRun, sessionId } = row.context
    return {
      id: row.id,
      title,
      status: row.columns.status as v.InferOutput<typeof planStatus>,
      worktreeId,
      lastRunId: lastRun?.id ?? null,
      sessionId,
      createdAt: toDateTime(row.createdAt),
    }
  },
}

export const planHandlers = [
  handle(plan, {
    read: async (input, context) => {
      const row = await context.views.get('plan', input.id)
      if (row === undefined) return null
      const [content, runs] = await Promise.all([planContent(row, context.views), latestTurns(row.id, context.views)])
      return { ...planType.fromRow(row, context), ...content, runs: runs.map(runObject) }
    },
  }),
  handle(plans, {
    read: async ({ worktreeId, agentId, statuses, ...page }, context) =>
      await pageOfRows(
        context.views,
        {
          kind: 'plan',
          where: { ...(worktreeId ? { worktreeId } : {}), ...(agentId ? { agentId } : {}) },
          ...(statuses ? { statuses } : {}),
        },
        page,
        (row) => planType.fromRow(row, context),
      ),
  }),
  handle(archivePlan, {
    touches: ({ planId }, { views }) => turnsTouched('plan', planId, views),
    translate: async ({ planId }, context) => {
      await requireRow(context.views, 'plan', planId)
      return oneMessage({ to: { kind: 'plan', id: planId }, event: { type: 'archive' } }, (row) => ({
        plan: planType.fromRow(row, context),
      }))
    },
  }),
]
