import * as v from 'valibot'
import type { ActorEvent } from '../../../spec/core/actor.ts'
import { principalName } from '../../../spec/core/principal.ts'
import { expecting } from '../../../spec/core/revision.ts'
import { atMost, toDateTime } from '../../../spec/core/types.ts'
import { planRevision } from '../../../spec/work/planRevisions.ts'
import {
  archivePlan,
  plan,
  planSchema,
  type planStatus,
  plans,
  unarchivePlan,
  updatePlan,
} from '../../../spec/work/plans.ts'
import { pageOfRows } from '../core/connections.ts'
import { oneRow } from '../core/oneRow.ts'
import { oneMessage } from '../core/replies.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { Additions, GraphqlObject, ObjectType, RelationContext } from '../objectType.ts'
import type { RequestContext } from '../requestContext.ts'
import { toUsageTotals } from '../runs/usage.ts'
import { lastRevision, planContent } from './planContent.ts'
import { latestRevisionsOf, revisionsOfPlan } from './planRevisions.ts'
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
    description: 'The last revision of the text. Null if no run has answered and no person has written a text.',
    load: async (parents, context) => (await contentOf(parents, context)).map((one) => one?.last?.text ?? null),
  },
} as const satisfies Additions

/** Revisions that a tool returns with a plan. */
const latestMax = 10

const latestRevisions = {
  type: 'derived',
  output: atMost(latestMax, planRevision),
  nullable: false,
  description: `The latest ${latestMax} revisions of the text, newest first.`,
  load: async (parents, { views }) =>
    await Promise.all(parents.map(({ id }) => latestRevisionsOf(String(id), latestMax, views))),
} as const satisfies Additions[string]

export const planType: ObjectType<'plan', typeof planSchema> = {
  name: 'Plan',
  kind: 'plan',
  schema: planSchema,
  relations: {
    ...content,
    revisions: revisionsOfPlan,
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
    const { lastRun, sessionId, usage, revision = 0 } = row.context
    return {
      id: row.id,
      title,
      status: row.columns.status as v.InferOutput<typeof planStatus>,
      worktreeId,
      lastRunId: lastRun?.id ?? null,
      sessionId,
      revision,
      usage: toUsageTotals(usage),
      createdAt: toDateTime(row.createdAt),
    }
  },
}

const touches = ({ planId }: { readonly planId: string }, { views }: Pick<RequestContext, 'views'>) =>
  turnsTouched('plan', planId, views)

async function toPlan(planId: string, event: ActorEvent, context: RequestContext<'views' | 'presence'>) {
  await requireRow(context.views, 'plan', planId)
  return oneMessage({ to: { kind: 'plan', id: planId }, event }, (row) => ({ plan: planType.fromRow(row, context) }))
}

export const planHandlers = [
  handle(plan, ['views', 'presence'], {
    additions: { ...content, revisions: latestRevisions, runs: latestTurns },
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
    touches,
    translate: ({ planId }, context) => toPlan(planId, { type: 'archive' }, context),
  }),
  handle(unarchivePlan, ['views', 'presence'], {
    touches,
    translate: ({ planId }, context) => toPlan(planId, { type: 'unarchive' }, context),
  }),
  handle(updatePlan, ['views', 'presence'], {
    touches,
    translate: async ({ planId, text, expectedRevision }, context) => {
      const plan = await requireRow(context.views, 'plan', planId)
      const last = plan.context.revision === 0 ? await lastRevision(plan, context.views) : undefined
      const base = last === undefined ? null : { runId: last.runId, at: last.at }
      const author = principalName(context.principal)
      return await toPlan(planId, { type: 'edit', text, author, base, ...expecting(expectedRevision) }, context)
    },
  }),
]
