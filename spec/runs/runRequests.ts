/** The operations on runs: create, follow up, configure, answer, cancel. */
import * as v from 'valibot'
import { idempotencyKey } from '../agents/enrollments.ts'
import { oneOf } from '../core/oneOf.ts'
import { mutation } from '../core/operation.ts'
import { idOf, int, named, text } from '../core/types.ts'
import { mcpPresetIds } from '../tools/toolGrants.ts'
import { runPayload, timeoutSeconds } from './newRuns.ts'

const limit = v.pipe(
  v.nullish(v.pipe(int, v.minValue(0), v.maxValue(32))),
  v.description(
    'The maximum number of runs of this kind on the worktree at the same time. 0: no limit. Default: 0 for plans, 1 for sessions.',
  ),
)

export const runConfiguration = named(
  'RunConfigurationInput',
  'The conditions under which a run is admitted to its worktree.',
  v.object({ worktreeConcurrencyLimit: limit }),
)

export const agentRunKind = named(
  'AgentRunKind',
  'The kind of work of the run. PLAN: the run writes a plan. SESSION: the run does the work.',
  v.picklist(['PLAN', 'SESSION']),
)

const promptText = text({ min: 1, max: 200_000 })

const agentTask = oneOf('AgentTaskInput', 'The work of the run: exactly one of these.', {
  prompt: v.pipe(promptText, v.description('The task for the coding CLI on the agent’s machine.')),
  command: v.pipe(
    text({ min: 1, max: 20_000 }),
    v.description('One command that the shell runs in the worktree, without AI.'),
  ),
})

const runAnswer = oneOf('RunAnswerInput', 'The answer to a question: exactly one of these.', {
  optionId: v.pipe(text({ min: 1, max: 1_000 }), v.description('The ID of one of the options of the question.')),
  text: v.pipe(promptText, v.description('An answer as free text. It becomes the next prompt.')),
})

export type RunAnswer = v.InferOutput<typeof runAnswer>

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
    idempotencyKey,
  }),
  output: runPayload('CreateAgentRunPayload'),
})

export const createRunFollowUp = mutation({
  name: 'createRunFollowUp',
  description: 'Creates the next turn of a plan or session. It continues the conversation on the same worktree.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'runs',
    title: 'Follow up a run',
    description:
      'Creates the next turn of the plan or session of a run: a new run that continues the conversation on the same worktree. ' +
      'It is refused while a turn of the plan or session is active (wait with `get_run`, or use `cancel_run`), and for runs of ' +
      'workflows.',
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
    idempotencyKey,
  }),
  output: runPayload('CreateRunFollowUpPayload'),
})

export const updateRunConfiguration = mutation({
  name: 'updateRunConfiguration',
  description: 'Changes the conditions under which a queued run is admitted.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Change the admission of a run',
    description:
      'Changes `worktreeConcurrencyLimit` of a QUEUED run: the maximum number of runs of its kind on its worktree. `blockedBy` ' +
      'of `get_run` shows whether the run waits for that limit.',
    idempotent: true,
  },
  input: v.object({ runId: idOf('run'), configuration: runConfiguration }),
  output: runPayload('UpdateRunConfigurationPayload'),
})

export const answerRun = mutation({
  name: 'answerRun',
  description: 'Answers the question of a run that waits for input.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Answer a run',
    description:
      'Answers the question of a run that is WAITING_FOR_INPUT. `get_run` returns `questionId` and `question`. Answer with the ' +
      '`optionId` of one of the question’s `options`, or with `text` of your own. A question is answered once.',
  },
  input: v.object({
    runId: idOf('run'),
    questionId: v.pipe(text({ min: 1, max: 100 }), v.description('The `questionId` of the run.')),
    answer: runAnswer,
  }),
  output: runPayload('AnswerRunPayload'),
})

export const cancelRun = mutation({
  name: 'cancelRun',
  description: 'Cancels a run. The run keeps its slot until its agent confirms that no process of the run is left.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Cancel a run',
    description:
      'Cancels a run that waits or executes. Its processes are asked to stop and are killed after 10 s. The status of the ' +
      'returned run may be CANCELING. The run keeps its slot until its agent confirms that no process of the run is left.',
    destroys: true,
    idempotent: true,
  },
  input: v.object({
    runId: idOf('run'),
    reason: v.pipe(v.nullish(text({ max: 500 })), v.description('The reason, shown in the run’s `problem`.')),
  }),
  output: runPayload('CancelRunPayload'),
})
