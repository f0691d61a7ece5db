import * as v from 'valibot'
import { toDateTime } from '../../../spec/core/types.ts'
import { archivePlan, plan, planSchema, type planStatus, plans } from '../../../spec/work/plans.ts'
import { pageOfRows } from '../core/connections.ts'
import { oneRow } from '../core/oneRow.ts'
import { oneMessage } from '../core/replies.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { Additions, GraphqlObject, ObjectType, RelationContext } from '../objectType.ts'
import { toUsageTotals } from '../runs/usage.ts'
import { planContent } from './planContent.ts'
import { latestTurns, turnsTouched } from './turnsOf.ts'

const contentOf = async (parents: readonly GraphqlObject[], { views }: RelationContext) => {
  const rows = await views.getMany(
    'plan',
    parents.map((parent) => String(parent.id)),
  )
  return await Promise.all(
    parents.map(async (parent) => {
      const row = rows.get(String(parent.id))
      return row === undefined ? undefined : await planContent(row, views)
    }),
  )
}

const content = {
  task: {
    type: 'derived',
    output: v.string(),
    nullable: true,
    description: 'The prompt with which the plan was first requested. Null if a command created the plan.',
    load: async (parents, context) => (await contentOf(parents, context)).map((one) => one?.task ?? null),
  },
  text: {
    type: 'derived',
    output: v.string(),
    nullable: true,
    description: 'The answer of the plan’s last run that succeeded. Null if none has succeeded yet.',
    load: async (parents, context) => (await contentOf(parents, context)).map((one) => one?.text ?? null),
  },
} as const satisfies Additions

export const planType: ObjectType<'plan', typeof planSchema> = {
  name: 'Plan',
  kind: 'plan',
  schema: planSchema,
  relations: {
    ...content,
    runs: {
      type: 'connection',
      target: 'PlanRun',
      kind: 'run',
      by: 'scopeId',
      nullable: false,
      description: 'The runs that created and revised the plan, newest first.',
    },
  },
  fromRow: (row) => {
    const { title, worktreeId } = row.init
    const { lastRun, sessionId, usage } = row.context
    return {
      id: row.id,
      title,
      status: row.columns.status as v.InferOutput<typeof planStatus>,
      worktreeId,
      lastRunId: lastRun?.id ?? null,
      sessionId,
      usage: toUsageTotals(usage),
      createdAt: toDateTime(row.createdAt),
    }
  },
}

export const planHandlers = [
  handle(plan, ['views', 'presence'], {
    additions: { ...content, runs: latestTurns },
    read: oneRow(planType),
  }),
  handle(plans, ['views', 'presence'], {
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
  handle(archivePlan, ['views', 'presence'], {
    touches: ({ planId }, { views }) => turnsTouched('plan', planId, views),
    translate: async ({ planId }, context) => {
      await requireRow(context.views, 'plan', planId)
      return oneMessage({ to: { kind: 'plan', id: planId }, event: { type: 'archive' } }, (row) => ({
        plan: planType.fromRow(row, context),
      }))
    },
  }),
]
