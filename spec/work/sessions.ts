/** Sessions: AI work in turns, each of which is a SessionRun. */
import * as v from 'valibot'
import { connectionOf, orderByOf, pageArguments } from '../core/connections.ts'
import { oneById } from '../core/oneById.ts'
import { mutation, query } from '../core/operation.ts'
import { dateTime, id, idOf, named } from '../core/types.ts'

export const statuses = [
  'IDLE',
  'QUEUED',
  'RUNNING',
  'WAITING_FOR_INPUT',
  'PAUSED',
  'FINISHED',
  'ERROR',
  'DELETED',
] as const

export const sessionStatus = named('SessionStatus', 'How a session stands.', v.picklist(statuses))

export const sessionSchema = named(
  'Session',
  'AI work in turns on a worktree.',
  v.object({
    id,
    title: v.string(),
    status: sessionStatus,
    worktreeId: id,
    planId: v.pipe(v.nullable(id), v.description('The plan that it carries out.')),
    lastRunId: v.nullable(id),
    createdAt: dateTime,
  }),
)

export const session = query({
  ...oneById('session', sessionSchema),
  tool: {
    group: 'runs',
    name: 'get_session',
    title: 'Get a session',
    description:
      'One session of AI work by its ID (`ses_…`), with its turns, newest first. `get_run` gives what a turn answered; ' +
      '`create_run_follow_up` on the last one asks for the next, `finish_session` ends the session.',
  },
})

export const sessions = query({
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
    orderBy: orderByOf('Session', ['CREATED_AT']),
    worktreeId: v.nullish(idOf('worktree')),
    agentId: v.nullish(idOf('agent')),
    statuses: v.pipe(
      v.nullish(v.pipe(v.array(sessionStatus), v.maxLength(8))),
      v.description('Only sessions that stand so; without it, all but those that were deleted.'),
    ),
  }),
  output: connectionOf('Session', sessionSchema),
})

const payload = (typeName: string) =>
  named(typeName, 'The session after the change.', v.object({ session: sessionSchema }))

export const finishSession = mutation({
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
  },
  input: v.object({ sessionId: idOf('session') }),
  output: payload('FinishSessionPayload'),
})

export const deleteSession = mutation({
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
  },
  input: v.object({ sessionId: idOf('session') }),
  output: payload('DeleteSessionPayload'),
})
