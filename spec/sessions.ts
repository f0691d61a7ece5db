/** Sessions: AI work in turns, each of which is a SessionRun. */
import * as v from 'valibot'
import type { ObjectType } from './operation.ts'
import { contextOf, initOf } from './rows.ts'
import { dateTime, id, named, toDateTime } from './types.ts'

export const sessionSchema = named(
  'Session',
  'AI work in turns on a worktree.',
  v.object({
    id,
    title: v.string(),
    status: named(
      'SessionStatus',
      'How a session stands.',
      v.picklist(['IDLE', 'QUEUED', 'RUNNING', 'WAITING_FOR_INPUT', 'PAUSED', 'FINISHED', 'ERROR', 'DELETED']),
    ),
    worktreeId: id,
    planId: v.nullable(id),
    lastRunId: v.nullable(id),
    createdAt: dateTime,
  }),
)

export const sessionType: ObjectType<typeof sessionSchema> = {
  name: 'Session',
  kind: 'session',
  schema: sessionSchema,
  relations: {
    runs: {
      type: 'many',
      target: 'SessionRun',
      kind: 'run',
      by: 'scopeId',
      limit: 100,
      nullable: false,
      description: 'Its turns, newest first.',
    },
  },
  fromRow: (row) => {
    const { title, worktreeId, planId } = initOf<{ title: string; worktreeId: string; planId: string | null }>(row)
    const { lastRun } = contextOf<{ lastRun: { id: string } | null }>(row)
    return {
      id: row.id,
      title,
      status: row.columns.status as v.InferOutput<typeof sessionSchema>['status'],
      worktreeId,
      planId,
      lastRunId: lastRun?.id ?? null,
      createdAt: toDateTime(row.createdAt),
    }
  },
}
