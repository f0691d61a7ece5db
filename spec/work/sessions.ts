/** Sessions: AI work in several turns. Each turn is a session run. */
import * as v from 'valibot'
import { connectionOf, orderByOf, pageArguments } from '../core/connections.ts'
import { oneById } from '../core/oneById.ts'
import { mutation, query } from '../core/operation.ts'
import { dateTime, id, idOf, int, named } from '../core/types.ts'
import { usageTotals } from '../runs/usage.ts'

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

export const sessionStatus = named(
  'SessionStatus',
  'The status of a session. IDLE: it waits for the next turn.',
  v.picklist(statuses),
)

export const sessionSchema = named(
  'Session',
  'AI work in several turns on a worktree.',
  v.object({
    id,
    title: v.string(),
    status: sessionStatus,
    worktreeId: id,
    planId: v.pipe(
      v.nullable(id),
      v.description('The ID of the plan that the session carries out. Null if it carries out none.'),
    ),
    planRevision: v.pipe(
      v.nullable(int),
      v.description('The revision of the plan that the session carries out. Null if it carries out none.'),
    ),
    lastRunId: v.nullable(id),
    isFollowUpQueuePaused: v.pipe(
      v.boolean(),
      v.description(
        'Whether queued follow-ups wait for `resumeQueuedFollowUps`, because a run of the session failed or was canceled while they waited.',
      ),
    ),
    usage: usageTotals,
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
      'Returns one session of AI work by its ID (`ses_…`), with its turns, newest first. `get_run` returns the result of a ' +
      'turn. `create_run_follow_up` on the last turn creates the next one, and `finish_session` ends the session.',
  },
})

export const sessions = query({
  name: 'sessions',
  description: 'Sessions, newest first. Deleted sessions are included only if `statuses` names DELETED.',
  access: 'people',
  tool: {
    group: 'runs',
    name: 'get_sessions',
    title: 'List sessions',
    description:
      'Lists sessions of AI work, newest first: title, status, last turn, and the plan that the session carries out. Filter by ' +
      '`worktreeId`, `agentId` and `statuses`. WAITING_FOR_INPUT: the session waits for an answer. IDLE: it waits for a ' +
      'follow-up. `after: pageInfo.endCursor` continues the list. Use `get_session` for one session.',
  },
  input: v.object({
    ...pageArguments,
    orderBy: orderByOf('Session', ['CREATED_AT']),
    worktreeId: v.nullish(idOf('worktree')),
    agentId: v.nullish(idOf('agent')),
    statuses: v.pipe(
      v.nullish(v.pipe(v.array(sessionStatus), v.maxLength(8))),
      v.description('Returns only sessions with one of these statuses. Default: all except DELETED.'),
    ),
  }),
  output: connectionOf('Session', sessionSchema),
})

const payload = (typeName: string) =>
  named(typeName, 'The session after the change.', v.object({ session: sessionSchema }))

export const finishSession = mutation({
  name: 'finishSession',
  description: 'Finishes an idle session whose work is done. The plan that it carries out becomes COMPLETED or FAILED.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Finish a session',
    description:
      'Finishes a session whose work is done: it can have no further turn. The session must be IDLE: wait for its run, or use ' +
      '`cancel_run`. The plan that it carries out becomes COMPLETED if the last turn succeeded, else FAILED.',
    destroys: true,
    idempotent: true,
  },
  input: v.object({ sessionId: idOf('session') }),
  output: payload('FinishSessionPayload'),
})

export const deleteSession = mutation({
  name: 'deleteSession',
  description: 'Removes an idle session from the lists permanently. Its runs stay.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Delete a session',
    description:
      'Removes a session from the lists permanently. Its runs stay. The session must be IDLE: wait for its run, or use ' +
      '`cancel_run`. If its work is done, use `finish_session` instead, which keeps the session in the lists.',
    destroys: true,
    idempotent: true,
  },
  input: v.object({ sessionId: idOf('session') }),
  output: payload('DeleteSessionPayload'),
})
