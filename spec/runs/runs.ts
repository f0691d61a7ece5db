/** Runs as the API returns them: the interface `Run` and its three kinds. */
import * as v from 'valibot'
import { connectionOf, orderByOf, pageArguments } from '../core/connections.ts'
import { oneById } from '../core/oneById.ts'
import { query, subscription } from '../core/operation.ts'
import { problem } from '../core/problem.ts'
import { dateTime, id, idOf, int, named } from '../core/types.ts'
import { runKind } from '../worktrees/queueEntries.ts'
import { attachmentsMax } from './attachmentLimit.ts'
import { runConfigurationOutput } from './runConfiguration.ts'
import { runFilterFields } from './runFilter.ts'
import { runStatus } from './runStatus.ts'

const commandUse = named(
  'CommandUse',
  'The command that created a run, as it was at that time.',
  v.object({ id, name: v.string(), version: int }),
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
  attachmentIds: v.pipe(
    v.pipe(v.array(id), v.maxLength(attachmentsMax)),
    v.description('The IDs of the files that the run got.'),
  ),
  jobId: v.pipe(
    v.nullable(id),
    v.description('The ID of the run’s job. Null until the job is created, soon after the run is admitted.'),
  ),
  parentRunId: v.nullable(id),
  retryOfId: v.pipe(
    v.nullable(id),
    v.description('The ended run whose input this run repeats. Null if it repeats none.'),
  ),
  command: v.pipe(
    v.nullable(commandUse),
    v.description('The command that created the run, or whose run it repeats. Null if no command did.'),
  ),
  exclusiveWorktree: v.boolean(),
  worktreeConcurrencyLimit: int,
  configuration: runConfigurationOutput,
  cli: v.pipe(
    v.nullable(v.string()),
    v.description('The coding CLI that the request named. Null for commands, and for the first CLI of the machine.'),
  ),
  model: v.pipe(
    v.nullable(v.string()),
    v.description('The model that the configuration names. Null for commands, and for the model of the CLI.'),
  ),
  queuedAt: v.nullable(dateTime),
  admittedAt: v.nullable(dateTime),
  startedAt: v.nullable(dateTime),
  endedAt: v.nullable(dateTime),
  queueWaitMs: v.pipe(
    v.nullable(int),
    v.description(
      'The time between `queuedAt` and `admittedAt`, or the end of a run that was never admitted. Null while the run waits.',
    ),
  ),
  durationMs: v.pipe(
    v.nullable(int),
    v.description('The time between `startedAt` and `endedAt`. Null before the end, and for a run that never started.'),
  ),
  createdAt: dateTime,
  questionId: v.pipe(
    v.nullable(v.string()),
    v.description('The ID of the question that the run waits for. Null if it waits for no answer.'),
  ),
  isPauseRequested: v.pipe(
    v.boolean(),
    v.description('Whether the run was asked to pause. It is PAUSED when its agent has confirmed that.'),
  ),
  problem: v.nullable(problem),
  exitCode: v.nullable(int),
  requestedById: v.pipe(id, v.description('The user, API key or run that requested it.')),
}

export const runSchema = named(
  'Run',
  'One execution of AI work, or of the commands of a workflow, on a worktree.',
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
      'Lists runs (turns of plans and sessions, and executions of workflows), newest first: title, status, worktree, times, ' +
      'and the reason of a failure. Filter by `text`, by `worktreeId`, `agentId`, `repositoryId`, `workflowId`, `sessionId`, ' +
      '`planId` or `parentRunId`, by `requestedBy`, `cli`, `kinds`, by time (`from`, `to`), and by `statuses`. Runs that wait ' +
      'for an answer are WAITING_FOR_INPUT. Use `get_run` for one run.',
  },
  input: v.object({
    ...pageArguments,
    orderBy: v.pipe(
      orderByOf('Run', ['CREATED_AT', 'ENDED_AT']),
      v.description('Default: CREATED_AT, DESC. ENDED_AT: only runs that have ended are listed.'),
    ),
    ...runFilterFields,
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
      'Returns one run: its status, what it waits for (`blockedBy`), its question (`question`, answered with `answer_run` and ' +
      '`questionId`), and at its end `problem`, `exitCode` and `result`. `get_run_log` returns its output, and ' +
      '`get_run_events` the events of its coding CLI. SUCCEEDED, FAILED, CANCELED, TIMED_OUT, LOST and SKIPPED are final. Call ' +
      'it again for any other status.',
  },
})

export const runStatusChanged = subscription({
  name: 'runStatusChanged',
  description:
    'Sends runs when they change: one run, the runs of a worktree, or all runs. For one run it sends the current state first and completes when the run has ended.',
  access: 'people',
  input: v.object({ runId: v.nullish(idOf('run')), worktreeId: v.nullish(idOf('worktree')) }),
  output: runSchema,
})
