/** Plans: what a PlanRun makes or revises and a session carries out. */
import * as v from 'valibot'
import type { ObjectType } from './operation.ts'
import { contextOf, initOf } from './rows.ts'
import { dateTime, id, named, toDateTime } from './types.ts'

export const planSchema = named(
  'Plan',
  'A plan of AI work on a worktree.',
  v.object({
    id,
    title: v.string(),
    status: named(
      'PlanStatus',
      'How a plan stands.',
      v.picklist(['DRAFT', 'READY', 'RUNNING', 'COMPLETED', 'FAILED', 'ARCHIVED']),
    ),
    worktreeId: id,
    lastRunId: v.nullable(id),
    sessionId: v.nullable(id),
    createdAt: dateTime,
  }),
)

export const planType: ObjectType<typeof planSchema> = {
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
      description: 'The runs that made and revised it, newest first.',
    },
  },
  fromRow: (row) => {
    const { title, worktreeId } = initOf<{ title: string; worktreeId: string }>(row)
    const { lastRun, sessionId } = contextOf<{ lastRun: { id: string } | null; sessionId: string | null }>(row)
    return {
      id: row.id,
      title,
      status: row.columns.status as v.InferOutput<typeof planSchema>['status'],
      worktreeId,
      lastRunId: lastRun?.id ?? null,
      sessionId,
      createdAt: toDateTime(row.createdAt),
    }
  },
}
