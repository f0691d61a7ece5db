/** Sessions: AI work in turns, each of which is a SessionRun. */

import * as v from 'valibot'
import { connectionOf, pageArguments, pageOfRows } from './connections.ts'
import { countOf } from './countOf.ts'
import { type MessageContext, mutation, type ObjectType, query } from './operation.ts'
import { oneMessage } from './replies.ts'
import { contextOf, initOf, requireRow } from './rows.ts'
import { runObject, runSchema } from './runs.ts'
import { latestTurns, turnsTouched } from './turnsOf.ts'
import { dateTime, id, idOf, named, toDateTime } from './types.ts'

const statuses = ['IDLE', 'QUEUED', 'RUNNING', 'WAITING_FOR_INPUT', 'PAUSED', 'FINISHED', 'ERROR', 'DELETED'] as const

const shown = statuses.filter((status) => status !== 'DELETED')

const sessionStatus = named('SessionStatus', 'How a session stands.', v.picklist(statuses))

const fields = {
  id,
  title: v.string(),
  status: sessionStatus,
  worktreeId: id,
  planId: v.pipe(v.nullable(id), v.description('The plan that it carries out.')),
  lastRunId: v.nullable(id),
  createdAt: dateTime,
}

export const sessionSchema = named('Session', 'AI work in turns on a worktree.', v.object(fields))

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
      description: 'Its latest 100 turns, newest first. The query `runs` gives all, page by page.',
    },
    runCount: countOf({ kind: 'run', by: 'scopeId' }, 'How many turns it has had.'),
  },
  fromRow: (row) => {
    const { title, worktreeId, planId } = initOf<{ title: string; worktreeId: string; planId: string | null }>(row)
    const { lastRun } = contextOf<{ lastRun: { id: string } | null }>(row)
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

const session = query({
  name: 'session',
  description: 'One session, by its ID, with its turns.',
  access: 'people',
  tool: {
    group: 'runs',
    name: 'get_session',
    title: 'Get a session',
    description:
      'One session of AI work by its ID (`ses_…`), with its turns, newest first. `get_run` gives what a turn answered; ' +
      '`create_run_follow_up` on the last one asks for the next, `finish_session` ends the session.',
  },
  input: v.object({ id: idOf('session') }),
  output: v.nullable(
    named(
      'SessionDetails',
      'A session with its turns.',
      v.object({ ...fields, runs: v.pipe(v.array(runSchema), v.description('At most 20, newest first.')) }),
    ),
  ),
  read: async (input, context) => {
    const row = await context.views.get(input.id)
    if (row === undefined) return null
    const runs = await latestTurns(row.id, context.views)
    return { ...sessionType.fromRow(row, context), runs: runs.map(runObject) }
  },
})

const sessions = query({
  name: 'sessions',
  description: 'Sessions, newest first, without those that were deleted unless they are asked for.',
  access: 'people',
  tool: {
    group: 'runs',
    name: 'get_sessions',
    title: 'List sessions',
    description:
      'Lists sessions of AI work, newest first: title, how each stands, its last turn, the plan that it carries out. Filter by ' +
      '`worktreeId`, `agentId` and `statuses`: WAITING_FOR_INPUT ones wait for an answer, IDLE ones for a follow-up. Go on with ' +
      '`after: pageInfo.endCursor`; see `get_session` for one of them.',
  },
  input: v.object({
    ...pageArguments,
    worktreeId: v.nullish(idOf('worktree')),
    agentId: v.nullish(idOf('agent')),
    statuses: v.pipe(
      v.nullish(v.pipe(v.array(sessionStatus), v.maxLength(8))),
      v.description('Only sessions that stand so; without it, all but those that were deleted.'),
    ),
  }),
  output: connectionOf('Session', sessionSchema),
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
})

const payload = (typeName: string) =>
  named(typeName, 'The session after the change.', v.object({ session: sessionSchema }))

async function toSession(sessionId: string, type: string, context: MessageContext) {
  await requireRow(context.views, 'session', sessionId)
  return oneMessage({ to: { kind: 'session', id: sessionId }, event: { type } }, (row) => ({
    session: sessionType.fromRow(row, context),
  }))
}

const finishSession = mutation({
  name: 'finishSession',
  description: 'Ends a session that is idle: its work is done. The plan that it carries out is over, too.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Finish a session',
    description:
      'Ends a session whose work is done: no further turn can be asked for. It must be IDLE; wait for its run, or `cancel_run` it, first. ' +
      'The plan that it carries out is COMPLETED where its last turn succeeded, else FAILED.',
    destroys: true,
    idempotent: true,
    touches: ({ sessionId }, { views }) => turnsTouched('session', sessionId, views),
  },
  input: v.object({ sessionId: idOf('session') }),
  output: payload('FinishSessionPayload'),
  translate: ({ sessionId }, context) => toSession(sessionId, 'finish', context),
})

const deleteSession = mutation({
  name: 'deleteSession',
  description: 'Takes an idle session off the lists for good. Its runs stay.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Delete a session',
    description:
      'Takes a session off the lists for good; its runs stay. It must be IDLE; wait for its run, or `cancel_run` it, first. Where its work is ' +
      'done, `finish_session` keeps it on the lists.',
    destroys: true,
    idempotent: true,
    touches: ({ sessionId }, { views }) => turnsTouched('session', sessionId, views),
  },
  input: v.object({ sessionId: idOf('session') }),
  output: payload('DeleteSessionPayload'),
  translate: ({ sessionId }, context) => toSession(sessionId, 'delete', context),
})

export const sessionOperations = [session, sessions, finishSession, deleteSession]
