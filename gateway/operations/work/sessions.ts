import type * as v from 'valibot'
import type { ActorEvent } from '../../../spec/core/actor.ts'
import { atMost, toDateTime } from '../../../spec/core/types.ts'
import { queuedFollowUp } from '../../../spec/runs/queuedFollowUp.ts'
import { followUpsMax } from '../../../spec/work/followUps.ts'
import {
  deleteSession,
  finishSession,
  session,
  sessionSchema,
  type sessionStatus,
  sessions,
  statuses,
} from '../../../spec/work/sessions.ts'
import { computedConnection } from '../core/computedConnection.ts'
import { pageOfRows } from '../core/connections.ts'
import { oneRow } from '../core/oneRow.ts'
import { oneMessage } from '../core/replies.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { Additions, GraphqlObject, ObjectType, RelationContext } from '../objectType.ts'
import type { RequestContext } from '../requestContext.ts'
import { readFollowUps } from '../runs/queuedFollowUp.ts'
import { toUsageTotals } from '../runs/usage.ts'
import { latestTurns, turnsTouched } from './turnsOf.ts'

const followUps = {
  description: 'The follow-ups that start when the turns before them have succeeded, in their order.',
  load: async (parents: readonly GraphqlObject[], { views }: RelationContext) =>
    await Promise.all(parents.map(({ id }) => readFollowUps(String(id), views))),
}

const followUpsForTools = {
  type: 'derived',
  output: atMost(followUpsMax, queuedFollowUp),
  nullable: false,
  ...followUps,
} as const satisfies Additions[string]

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
    queuedFollowUps: computedConnection('QueuedFollowUp', queuedFollowUp, {
      ...followUps,
      positionOf: ({ runId }) => runId,
    }),
  },
  fromRow: (row) => {
    const { title, worktreeId, planId, planRevision = null } = row.init
    const { lastRun, isQueuePaused, usage } = row.context
    return {
      id: row.id,
      title,
      status: row.columns.status as v.InferOutput<typeof sessionStatus>,
      worktreeId,
      planId,
      planRevision,
      lastRunId: lastRun?.id ?? null,
      // An ended session may have been stored before follow-ups could be queued.
      isFollowUpQueuePaused: isQueuePaused === true,
      usage: toUsageTotals(usage),
      createdAt: toDateTime(row.createdAt),
    }
  },
}

export async function toSession(sessionId: string, event: ActorEvent, context: RequestContext<'views' | 'presence'>) {
  await requireRow(context.views, 'session', sessionId)
  return oneMessage({ to: { kind: 'session', id: sessionId }, event }, (row) => ({
    session: sessionType.fromRow(row, context),
  }))
}

export const sessionHandlers = [
  handle(session, ['views', 'presence'], {
    additions: { runs: latestTurns, queuedFollowUps: followUpsForTools },
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
    translate: ({ sessionId }, context) => toSession(sessionId, { type: 'finish' }, context),
  }),
  handle(deleteSession, ['views', 'presence'], {
    touches: ({ sessionId }, { views }) => turnsTouched('session', sessionId, views),
    translate: ({ sessionId }, context) => toSession(sessionId, { type: 'delete' }, context),
  }),
]
