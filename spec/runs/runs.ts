/** Runs as people see them: the interface `Run` and its three kinds. */
import * as v from 'valibot'
import { connectionOf, orderByOf, pageArguments } from '../core/connections.ts'
import { oneById } from '../core/oneById.ts'
import { query, subscription } from '../core/operation.ts'
import { problem } from '../core/problem.ts'
import { dateTime, id, idOf, int, named } from '../core/types.ts'
import { instant } from '../telemetry/instant.ts'
import { runKind } from '../worktrees/queueEntries.ts'

export const runStatus = named(
  'RunStatus',
  'How a run stands.',
  v.picklist([
    'QUEUED',
    'ADMITTED',
    'STARTING',
    'RUNNING',
    'WAITING_FOR_INPUT',
    'PAUSED',
    'CANCELING',
    'INCIDENT',
    'SUCCEEDED',
    'FAILED',
    'CANCELED',
    'TIMED_OUT',
    'LOST',
    'SKIPPED',
  ]),
)

export const fields = {
  id,
  kind: runKind,
  displayNumber: int,
  title: v.string(),
  status: runStatus,
  agentId: id,
  codebaseId: id,
  worktreeId: id,
  jobId: v.pipe(v.nullable(id), v.description('Its job; null until it is made, soon after the run is admitted.')),
  parentRunId: v.nullable(id),
  exclusiveWorktree: v.boolean(),
  worktreeConcurrencyLimit: int,
  queuedAt: v.nullable(dateTime),
  admittedAt: v.nullable(dateTime),
  startedAt: v.nullable(dateTime),
  endedAt: v.nullable(dateTime),
  createdAt: dateTime,
  questionId: v.pipe(v.nullable(v.string()), v.description('The question that it waits for an answer to.')),
  problem: v.nullable(problem),
  exitCode: v.nullable(int),
  requestedById: v.pipe(id, v.description('The user, API key or run that requested it.')),
}

export const runSchema = named(
  'Run',
  'Work on a worktree.',
  v.object({ ...fields, __typename: v.optional(v.string()) }),
)

export const runs = query({
  name: 'runs',
  description: 'Runs, newest first.',
  access: 'people',
  tool: {
    group: 'runs',
    name: 'get_runs',
    title: 'List runs',
    description:
      'Lists runs (turns of plans and sessions, and of workflows), newest first: title, status, where, when, and why it did not ' +
      'go well. Filter by `worktreeId`, `agentId`, `workflowId`, `sessionId`, `planId` or `parentRunId`, by `kind`, by time (`from`, `to`), and by `statuses`: those that wait for ' +
      'an answer are WAITING_FOR_INPUT. See `get_run` for one of them.',
  },
  input: v.object({
    ...pageArguments,
    orderBy: orderByOf('Run', ['CREATED_AT']),
    worktreeId: v.nullish(idOf('worktree')),
    agentId: v.nullish(idOf('agent')),
    workflowId: v.nullish(idOf('workflow')),
    sessionId: v.nullish(idOf('session')),
    planId: v.nullish(idOf('plan')),
    parentRunId: v.pipe(v.nullish(idOf('run')), v.description('Only runs that this one has started.')),
    statuses: v.pipe(v.nullish(v.pipe(v.array(runStatus), v.maxLength(14))), v.description('Only runs that stand so.')),
    kind: v.pipe(v.nullish(runKind), v.description('Only turns of plans, or of sessions, or of workflows.')),
    from: v.pipe(v.nullish(instant), v.description('The earliest time at which they were asked for.')),
    to: v.pipe(v.nullish(instant), v.description('The time before which they were.')),
  }),
  output: connectionOf('Run', runSchema),
})

export const run = query({
  ...oneById('run', runSchema),
  tool: {
    group: 'runs',
    name: 'get_run',
    title: 'Get a run',
    description:
      'One run: status, what it waits for (`blockedBy`), what it asks (`question`, answered with `answer_run` and `questionId`), ' +
      'and at its end `problem`, `exitCode` and `result`. What it printed is in `get_run_log`, what its coding CLI said and did ' +
      'in `get_run_events`. SUCCEEDED, FAILED, CANCELED, TIMED_OUT, LOST and SKIPPED are ends; ask again for any other.',
  },
})

export const runStatusChanged = subscription({
  name: 'runStatusChanged',
  description:
    'Runs as they change: one, which comes first as it is now, or those of a worktree, or all. That of one run is complete once the run has ended.',
  access: 'people',
  input: v.object({ runId: v.nullish(idOf('run')), worktreeId: v.nullish(idOf('worktree')) }),
  output: runSchema,
})
