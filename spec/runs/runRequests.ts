/** The operations that create runs, and the conditions of their admission. */
import * as v from 'valibot'
import { idempotencyKey } from '../core/idempotencyKey.ts'
import { oneOf } from '../core/oneOf.ts'
import { mutation } from '../core/operation.ts'
import { idOf, named, text } from '../core/types.ts'
import { mcpPresetIds } from '../tools/toolGrants.ts'
import { attachmentIds } from './attachments.ts'
import { runPayload, timeoutSeconds } from './newRuns.ts'
import { queuedFollowUp } from './queuedFollowUp.ts'
import { runConfiguration } from './runConfiguration.ts'
import { runSchema } from './runs.ts'

export const agentRunKind = named(
  'AgentRunKind',
  'The kind of work of the run. PLAN: the run writes a plan. SESSION: the run does the work.',
  v.picklist(['PLAN', 'SESSION']),
)

/** The maximum number of characters of a prompt. */
export const promptMax = 200_000

export const promptText = text({ min: 1, max: promptMax })

const agentTask = oneOf('AgentTaskInput', 'The work of the run: exactly one of these.', {
  prompt: v.pipe(promptText, v.description('The task for the coding CLI on the agent’s machine.')),
  command: v.pipe(
    text({ min: 1, max: 20_000 }),
    v.description('One command that the shell runs in the worktree, without AI.'),
  ),
})

const followUpPayload = (name: string) =>
  named(
    name,
    'The run, or the queued follow-up. Both are null in the answer to a repeat if the follow-up was withdrawn.',
    v.object({ run: v.nullable(runSchema), queuedFollowUp: v.nullable(queuedFollowUp) }),
  )

export const createAgentRun = mutation({
  name: 'createAgentRun',
  description: 'Creates the first run of a new plan or session: AI work, or one command, on a worktree.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'runs',
    title: 'Start AI work',
    description:
      'Creates a run of AI work on a worktree. `task` is a `prompt` for the coding CLI of the worktree’s machine, or one shell ' +
      '`command`. `kind: SESSION` does the work. `kind: PLAN` writes a plan that can be read and then carried out with ' +
      '`play_plan`. The run is QUEUED until its worktree is free: follow it with `get_run`, `get_run_log` and ' +
      '`get_run_events`, and continue it with `create_run_follow_up`.',
  },
  input: v.object({
    worktreeId: idOf('worktree'),
    kind: agentRunKind,
    title: v.pipe(
      v.nullish(text({ min: 1, max: 200 })),
      v.description(
        'The title of the run and of its plan or session. Default: the beginning of the prompt or command.',
      ),
    ),
    task: agentTask,
    cli: v.pipe(
      v.nullish(text({ min: 1, max: 100 })),
      v.description(
        'The name of a coding CLI on the agent’s machine, as `agentCliHealth` lists it. Default: the first one of the machine.',
      ),
    ),
    configuration: v.nullish(runConfiguration),
    timeoutSeconds,
    mcpPresetIds,
    attachmentIds,
    idempotencyKey,
  }),
  output: runPayload('CreateAgentRunPayload'),
})

export const createRunFollowUp = mutation({
  name: 'createRunFollowUp',
  description:
    'Creates the next turn of a plan or session. It continues the conversation on the same worktree. While a turn of a session is active, the follow-up is queued.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'runs',
    title: 'Follow up a run',
    description:
      'Creates the next turn of the plan or session of a run: a new run that continues the conversation on the same worktree. ' +
      'While a turn of a session is active, the answer is a `queuedFollowUp`, which starts when the turns before it have ' +
      'succeeded. A plan with an active turn, and a run of a workflow, have no follow-up.',
  },
  input: v.object({
    runId: idOf('run'),
    prompt: v.pipe(promptText, v.description('The next task for the coding CLI.')),
    requireConversation: v.pipe(
      v.nullish(v.boolean()),
      v.description(
        'Whether the run must fail (CONVERSATION_LOST) if the coding CLI cannot continue its conversation. Default: false. Then the former turns become part of the prompt of a new conversation.',
      ),
    ),
    configuration: v.nullish(runConfiguration),
    timeoutSeconds,
    mcpPresetIds,
    attachmentIds,
    idempotencyKey,
  }),
  output: followUpPayload('CreateRunFollowUpPayload'),
})

export const continueRun = mutation({
  name: 'continueRun',
  description:
    'Continues the conversation of a run that a restart of its agent or machine has ended (`canContinue`). It creates a follow-up.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'runs',
    title: 'Continue a run',
    description:
      'Continues the conversation of a run that a restart of its agent or machine has ended. `canContinue` of `get_run` is true ' +
      'for such a run. The follow-up asks the coding CLI to check the state of the work and to continue.',
  },
  input: v.object({ runId: idOf('run'), idempotencyKey }),
  output: followUpPayload('ContinueRunPayload'),
})

export const retryRun = mutation({
  name: 'retryRun',
  description:
    'Creates a new run with the input of a run that has ended: its task, its configuration and its tools. It belongs to the same plan, session or workflow.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'runs',
    title: 'Retry a run',
    description:
      'Creates a new run with the input of a run that has ended: its task, its configuration and its tools. `retryOfId` of the ' +
      'new run is the former one. The plan or session must have no active turn. A run of a workflow executes the steps that it ' +
      'had, even if the workflow was published again. With `fromFailedStep` it keeps the outputs of the steps that have succeeded, except ' +
      'those of steps that need a step that is executed again.',
  },
  input: v.object({
    runId: idOf('run'),
    fromFailedStep: v.pipe(
      v.nullish(v.boolean()),
      v.description(
        'For the run of a workflow: whether a step that has succeeded keeps its outputs and is not executed again, unless a step that it needs is. Default: false.',
      ),
    ),
    idempotencyKey,
  }),
  output: runPayload('RetryRunPayload'),
})

export const updateRunConfiguration = mutation({
  name: 'updateRunConfiguration',
  description:
    'Changes the configuration of a queued run. Omitted fields do not change, and null gives a field its default.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Configure a queued run',
    description:
      'Changes the configuration of a QUEUED run. Omitted fields do not change, and null gives a field its default. ' +
      '`worktreeConcurrencyLimit` is the maximum number of runs of its kind on its worktree. `blockedBy` of `get_run` shows ' +
      'whether the run waits for that limit.',
    idempotent: true,
  },
  input: v.object({ runId: idOf('run'), configuration: runConfiguration }),
  output: runPayload('UpdateRunConfigurationPayload'),
})
