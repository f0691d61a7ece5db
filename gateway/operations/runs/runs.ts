import * as v from 'valibot'
import type { TypedRow } from '../../../machines/rows.ts'
import { runMembers } from '../../../machines/runs/runKeys.ts'
import { siblingId } from '../../../spec/core/ids.ts'
import { id, named, toDateTime } from '../../../spec/core/types.ts'
import { attachmentsMax } from '../../../spec/runs/attachmentLimit.ts'
import { readAttachmentIds } from '../../../spec/runs/attachments.ts'
import { runConversation, runQuestion, runResult } from '../../../spec/runs/conversation.ts'
import type { runStatus } from '../../../spec/runs/runStatus.ts'
import { fields, run, type runSchema, runStatusChanged, runs } from '../../../spec/runs/runs.ts'
import { toolGrantSchema } from '../../../spec/tools/toolGrants.ts'
import { blockedBySchema, queueArguments, queueEntry, runPhase } from '../../../spec/worktrees/queueEntries.ts'
import { requesterBy } from '../accounts/requester.ts'
import { pageOfRows, type RowOrders } from '../core/connections.ts'
import { loadMember } from '../core/members.ts'
import { moment } from '../core/moment.ts'
import { oneRow } from '../core/oneRow.ts'
import { requireKind } from '../core/replies.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { GraphqlObject, ObjectType, Relations } from '../objectType.ts'
import { grantId, toGrantObject } from '../tools/toolGrants.ts'
import type { TypedViews } from '../typedViews.ts'
import { skillsOfRun } from '../work/skills/runSkills.ts'
import { definitionOfWorkflowRun, stepsOfWorkflowRun } from '../work/workflows/workflowSteps.ts'
import { phaseOf } from '../worktrees/blockedBy.ts'
import { blockedByOutput, blockOf, entriesOf, picturesOf } from '../worktrees/queueEntries.ts'
import { canContinue } from './canContinue.ts'
import { toOpening, toQuestion, toResult } from './conversation.ts'
import { overlappedRuns } from './overlappedRuns.ts'
import { changesOfRun } from './runChanges.ts'
import { toConfiguration } from './runConfiguration.ts'
import { toRunQuery } from './runFilter.ts'
import { specText } from './runSpec.ts'
import { taskOfRun } from './runTask.ts'

/** Clocks of two processes may differ a little. */
const elapsed = (from: number | null, to: number | null): number | null =>
  from === null || to === null ? null : Math.max(0, to - from)

const typeNames = { PLAN: 'PlanRun', SESSION: 'SessionRun', WORKFLOW: 'WorkflowRun' } as const

export function runFromRow(row: TypedRow<'run'>): v.InferInput<typeof runSchema> {
  const init = row.init
  const { queue, question, pause, times, job, problem: wrong, exit } = row.context
  return {
    __typename: typeNames[init.kind],
    id: row.id,
    kind: init.kind,
    displayNumber: init.number,
    title: init.title,
    status: row.columns.status as v.InferOutput<typeof runStatus>,
    agentId: init.agentId,
    codebaseId: init.codebaseId,
    worktreeId: init.worktreeId,
    attachmentIds: [...readAttachmentIds(init.spec)],
    // An admitted run has requested a job. A job that was not created yet cannot be followed.
    jobId: job.ready && init.jobKind !== 'STEPS' ? siblingId('job', row.id) : null,
    parentRunId: init.parentRunId,
    retryOfId: init.retryOf ?? null,
    command: init.ofCommand ?? null,
    exclusiveWorktree: init.exclusive,
    worktreeConcurrencyLimit: queue.limit,
    configuration: toConfiguration(row),
    queuedAt: moment(queue.queuedAt),
    admittedAt: moment(times.admitted),
    startedAt: moment(times.started),
    endedAt: moment(times.ended),
    cli: specText(init.spec, 'cli') ?? null,
    model: toConfiguration(row).model,
    queueWaitMs: elapsed(queue.queuedAt, times.admitted ?? times.ended),
    durationMs: elapsed(times.started, times.ended),
    createdAt: toDateTime(row.createdAt),
    // The question of a paused run is answered after the pause.
    questionId: question === null || question.answered || row.columns.status === 'PAUSED' ? null : question.id,
    // An ended run may have been stored before runs could be paused.
    isPauseRequested: !row.columns.terminal && pause.isRequested,
    problem: wrong,
    exitCode: exit?.code ?? null,
    requestedById: init.requestedBy,
  }
}

const isQueued = (parent: GraphqlObject): boolean => parent.status === 'QUEUED'

/** Finds what each queued run waits for. The queue of a worktree is read once for all of its runs. */
async function blocksOf(parents: readonly GraphqlObject[], views: TypedViews) {
  const queued = parents.filter(isQueued)
  const [rows, pictures] = await Promise.all([
    views.getMany(
      'run',
      queued.map((parent) => String(parent.id)),
    ),
    picturesOf(
      views,
      queued.map((parent) => String(parent.worktreeId)),
    ),
  ])
  const late = [...rows.values()].filter((row) => !row.context.queue.ready)
  const overlaps = await overlappedRuns(late, views)
  return parents.map((parent) => {
    const row = isQueued(parent) ? rows.get(String(parent.id)) : undefined
    const picture = pictures.get(String(parent.worktreeId))
    return row === undefined || picture === undefined ? null : blockOf(row, picture, overlaps.get(row.id) ?? [])
  })
}

const phases: Readonly<Record<string, v.InferOutput<typeof runPhase>>> = {
  ADMITTED: 'WAITING_FOR_AGENT',
  STARTING: 'PREPARING',
  RUNNING: 'EXECUTING',
  WAITING_FOR_INPUT: 'EXECUTING',
  PAUSED: 'EXECUTING',
  INCIDENT: 'EXECUTING',
  CANCELING: 'FINALIZING',
}

const relations = {
  phase: {
    type: 'derived',
    output: runPhase,
    nullable: true,
    description: 'The activity of the run, or the reason why it waits. Null after its end.',
    load: async (parents, { views }) => {
      const blocks = await blocksOf(parents, views)
      return parents.map((parent, index) => {
        const block = blocks[index]
        return block ? phaseOf(block.reason) : (phases[String(parent.status)] ?? null)
      })
    },
  },
  blockedBy: {
    type: 'derived',
    output: blockedBySchema,
    nullable: true,
    description: 'The reason why the queued run has not started. Null if the run is not queued.',
    load: async (parents, { views }) =>
      (await blocksOf(parents, views)).map((block) => block && blockedByOutput(block)),
  },
  queue: {
    type: 'derived',
    output: v.array(queueEntry),
    arguments: queueArguments,
    nullable: false,
    description: 'The first entries of the queue of the run’s worktree. Empty if the run is not queued.',
    load: async (parents, { views }, { first }: v.InferOutput<typeof queueArguments>) => {
      const queues = new Map<string, ReturnType<typeof entriesOf>>()
      const queueOf = (worktreeId: string) => {
        const queue = queues.get(worktreeId) ?? entriesOf(views, worktreeId, first)
        queues.set(worktreeId, queue)
        return queue
      }
      return await Promise.all(
        parents.map(async (parent) => (isQueued(parent) ? await queueOf(String(parent.worktreeId)) : [])),
      )
    },
  },
  question: {
    type: 'derived',
    output: runQuestion,
    nullable: true,
    description: 'The question that the run waits for. Null if it waits for no answer.',
    load: loadMember(runMembers.question, { convert: toQuestion, mayHave: ({ questionId }) => questionId !== null }),
  },
  result: {
    type: 'derived',
    output: runResult,
    nullable: true,
    description:
      'The report of the run’s coding CLI, or the outputs of its command. Null for a command without outputs, and before the end.',
    load: loadMember(runMembers.result, { convert: toResult, mayHave: ({ endedAt }) => endedAt !== null }),
  },
  conversation: {
    type: 'derived',
    output: runConversation,
    nullable: true,
    description:
      'The beginning of the run’s conversation with its coding CLI. Null for commands, and before the end. Before the end, a follow-up has it in its first event.',
    load: loadMember(runMembers.result, { convert: toOpening, mayHave: ({ endedAt }) => endedAt !== null }),
  },
  task: taskOfRun,
  changes: changesOfRun,
  skills: skillsOfRun,
  canContinue: {
    type: 'derived',
    output: v.boolean(),
    nullable: false,
    description:
      'Whether a restart of the agent or of its machine has ended the run in the middle of a conversation that `continueRun` can continue.',
    load: async (parents, { views }) =>
      await Promise.all(parents.map((run) => canContinue(run as v.InferInput<typeof runSchema>, views))),
  },
  toolGrant: {
    type: 'derived',
    output: toolGrantSchema,
    nullable: true,
    description: 'The tools that the run got when it was created. Null if it got none.',
    load: async (parents, { views }) => {
      const ids = parents.map(({ id }) => grantId(String(id)))
      const rows = await views.getMany('toolGrant', ids)
      return ids.map((id) => toGrantObject(rows.get(id)))
    },
  },
  attachments: {
    type: 'list',
    target: 'RunAttachment',
    by: 'attachmentIds',
    most: attachmentsMax,
    nullable: false,
    description: 'The files that the run got. Removed ones are left out.',
  },
  retryOf: {
    type: 'one',
    target: 'Run',
    by: 'retryOfId',
    nullable: true,
    description: 'The ended run whose input this run repeats.',
  },
  requestedBy: {
    ...requesterBy('requestedById'),
    description: 'The user, API key or run that requested the run. Null if the user was removed.',
  },
  agent: {
    type: 'one',
    target: 'Agent',
    by: 'agentId',
    nullable: false,
    description: 'The agent on whose machine the run executes.',
  },
  worktree: {
    type: 'one',
    target: 'Worktree',
    by: 'worktreeId',
    nullable: false,
    description: 'The worktree on which the run executes.',
  },
} as const satisfies Relations

/** The object type of one kind of run: the common fields and the owner. */
function runType(
  name: string,
  owner: 'planId' | 'sessionId' | 'workflowId',
  target: string,
  more: Relations = {},
): ObjectType<'run'> {
  const schema = named(name, `A run of a ${target.toLowerCase()}.`, v.object({ ...fields, [owner]: id }))
  return {
    name,
    kind: 'run',
    implements: 'Run',
    schema,
    relations: {
      ...relations,
      ...more,
      [target.toLowerCase()]: {
        type: 'one',
        target,
        by: owner,
        nullable: true,
        description: `The ${target.toLowerCase()} that the run belongs to.`,
      },
    },
    fromRow: (row) => ({ ...runFromRow(row), [owner]: row.init.ownerId }),
  }
}

export const runTypes: readonly ObjectType<'run'>[] = [
  runType('PlanRun', 'planId', 'Plan'),
  runType('SessionRun', 'sessionId', 'Session'),
  runType('WorkflowRun', 'workflowId', 'Workflow', { steps: stepsOfWorkflowRun, definition: definitionOfWorkflowRun }),
]

/** Adds the ID of the owner, in the field that only the type of this kind of run has. */
export function runObject(row: TypedRow<'run'>): v.InferInput<typeof runSchema> {
  const { kind, ownerId } = row.init
  const owner = { PLAN: 'planId', SESSION: 'sessionId', WORKFLOW: 'workflowId' }[kind]
  return { ...runFromRow(row), [owner]: ownerId }
}

const { phase, blockedBy, question, result, conversation, canContinue: continuable } = relations
const steps = stepsOfWorkflowRun

const orders: RowOrders = { CREATED_AT: 'created', ENDED_AT: 'ended' }

export const runHandlers = [
  handle(runs, ['views'], {
    read: async ({ first, after, last, before, orderBy, ...filter }, { views }) => {
      const page = { first, after, last, before, orderBy }
      return await pageOfRows(views, await toRunQuery(filter, views), page, runObject, orders)
    },
  }),
  handle(run, ['views', 'presence'], {
    additions: { phase, blockedBy, question, result, conversation, canContinue: continuable, steps },
    read: oneRow({ kind: 'run', fromRow: runObject }),
  }),
  handle(runStatusChanged, ['views'], {
    follow: async ({ runId, worktreeId }, { views }) => {
      if (runId) await requireRow(views, 'run', runId)
      if (worktreeId) await requireRow(views, 'worktree', worktreeId)
      const where = { ...(runId ? { id: runId } : {}), ...(worktreeId ? { worktreeId } : {}) }
      return { type: 'rows', kind: 'run', where, initial: runId ? 'all' : 'none', endsWithActor: true }
    },
    payload: (item) => (item.type === 'row' ? runObject(requireKind('run', item.row)) : undefined),
  }),
]
