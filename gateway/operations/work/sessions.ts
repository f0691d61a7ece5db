import type * as v from 'valibot'
import { toDateTime } from '../../../spec/core/types.ts'
import {
  deleteSession,
  finishSession,
  session,
  sessionSchema,
  type sessionStatus,
  sessions,
  statuses,
} from '../../../spec/work/sessions.ts'
import { pageOfRows } from '../core/connections.ts'
import { oneRow } from '../core/oneRow.ts'
import { oneMessage } from '../core/replies.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { ObjectType } from '../objectType.ts'
import type { RequestContext } from '../requestContext.ts'
import { latestTurns, turnsTouched } from './turnsOf.ts'

const shown = statuses.filter((status) => status !== 'DELETED')

export const sessionType: ObjectType<'session', typeof sessionSchema> = {
  name: 'Session',
  kind: 'session',
  schema: sessionSchema,
  relations: {
    runs: {
      type: 'connection',
      target: 'SessionRun',
      kind: 'run',
      by: 'scopeId',
      nullable: false,
      description: 'The turns of the session, newest first.',
    },
  },
  fromRow: (row) => {
    const { title, worktreeId, planId } = row.init
    const { lastRun } = row.context
    return {
      id: row.id,
      title,
      status: row.columns.status as v.InferOutput<typeof sessionStatus>,
      worktreeId,
      planId,
      lastRunId: lastRun?.id ?? null,
      createdAt: toDateTime(row.createdAt),
    }
  },
}

async function toSession(sessionId: string, type: string, context: RequestContext<'views' | 'presence'>) {
  await requireRow(context.views, 'session', sessionId)
  return oneMessage({ to: { kind: 'session', id: sessionId }, event: { type } }, (row) => ({
    session: sessionType.fromRow(row, context),
  }))
}

export const sessionHandlers = [
  handle(session, ['views', 'presence'], {
    additions: { runs: latestTurns },
    read: oneRow(sessionType),
  }),
  handle(sessions, ['views', 'presence'], {
    read: async ({ worktreeId, agentId, statuses: asked, ...page }, context) =>
      await pageOfRows(
        context.views,
        {
          kind: 'session',
          where: { ...(worktreeId ? { worktreeId } : {}), ...(agentId ? { agentId } : {}) },
          statuses: asked ?? shown,
        },
        page,
        (row) => sessionType.fromRow(row, context),
      ),
  }),
  handle(finishSession, ['views', 'presence'], {
    touches: ({ sessionId }, { views }) => turnsTouched('session', sessionId, views),
    translate: ({ sessionId }, context) => toSession(sessionId, 'finish', context),
  }),
  handle(deleteSession, ['views', 'presence'], {
    touches: ({ sessionId }, { views }) => turnsTouched('session', sessionId, views),
    translate: ({ sessionId }, context) => toSession(sessionId, 'delete', context),
  }),
]
