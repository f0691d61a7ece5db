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
  v.description('0: no limit. Omitted: 0 for plans, 1 for sessions.'),
)

export const runConfiguration = named(
  'RunConfigurationInput',
  'How a run is admitted to its worktree.',
  v.object({ worktreeConcurrencyLimit: limit }),
)

export const agentRunKind = named('AgentRunKind', 'What the run makes.', v.picklist(['PLAN', 'SESSION']))

const promptText = text({ min: 1, max: 200_000 })

const agentTask = oneOf('AgentTaskInput', 'The work of the run: exactly one of these.', {
  prompt: v.pipe(promptText, v.description('The task for the coding CLI of the machine.')),
  command: v.pipe(
    text({ min: 1, max: 20_000 }),
    v.description('One command, run by the shell in the worktree without any AI.'),
  ),
})

const runAnswer = oneOf('RunAnswerInput', 'The answer to a question: exactly one of these.', {
  optionId: v.pipe(text({ min: 1, max: 1_000 }), v.description('One of the options of the question.')),
  text: v.pipe(promptText, v.description('Your own words. They become the next prompt.')),
})

export type RunAnswer = v.InferOutput<typeof runAnswer>

export const createAgentRun = mutation({
  name: 'createAgentRun',
  description: 'Asks for AI work, or for one command, on a worktree: the first run of a new plan or session.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'runs',
    title: 'Start AI work',
    description:
      'Asks for AI work on a worktree: `task` is a `prompt` for its machine’s coding CLI, or one shell `command`. `kind: SESSION` ' +
      'does it; `kind: PLAN` makes a plan that can be read and then played. The run is QUEUED until the worktree is free: follow it ' +
      'with `get_run`, `get_run_log` and `get_run_events`, and go on with `create_run_follow_up`.',
  },
  input: v.object({
    worktreeId: idOf('worktree'),
    kind: agentRunKind,
    title: v.pipe(
      v.nullish(text({ min: 1, max: 200 })),
      v.description('The beginning of the prompt or command where omitted.'),
    ),
    task: agentTask,
    cli: v.pipe(
      v.nullish(text({ min: 1, max: 100 })),
      v.description(
        'The name of a coding CLI of the machine; its first one where omitted. `agentCliHealth` lists them.',
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
  description: 'Another turn of a plan or a session: its conversation goes on on the same worktree.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'runs',
    title: 'Follow up a run',
    description:
      'Another turn of the plan or session that a run belongs to: its conversation goes on on the same worktree, as a new run. ' +
      'Refused while a turn of it is under way (wait with `get_run`, or `cancel_run`) and for runs of workflows.',
  },
  input: v.object({
    runId: idOf('run'),
    prompt: v.pipe(promptText, v.description('What the coding CLI is to do next.')),
    configuration: v.nullish(runConfiguration),
    timeoutSeconds,
    mcpPresetIds,
    idempotencyKey,
  }),
  output: runPayload('CreateRunFollowUpPayload'),
})

export const updateRunConfiguration = mutation({
  name: 'updateRunConfiguration',
  description: 'Changes how a queued run is admitted.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Change how a run is admitted',
    description:
      'Changes how many runs of its kind may be on its worktree with a run that is still QUEUED; `get_run` says in `blockedBy` ' +
      'whether that is what it waits for.',
    idempotent: true,
  },
  input: v.object({ runId: idOf('run'), configuration: runConfiguration }),
  output: runPayload('UpdateRunConfigurationPayload'),
})

export const answerRun = mutation({
  name: 'answerRun',
  description: 'Answers the question that a run waits for.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Answer a run',
    description:
      'Answers the question of a run that is WAITING_FOR_INPUT. `get_run` returns `questionId` and `question`. Answer with the ' +
      '`optionId` of one of its `options`, or with `text` in your own words. A question is answered once.',
  },
  input: v.object({
    runId: idOf('run'),
    questionId: v.pipe(text({ min: 1, max: 100 }), v.description('The run’s `questionId`.')),
    answer: runAnswer,
  }),
  output: runPayload('AnswerRunPayload'),
})

export const cancelRun = mutation({
  name: 'cancelRun',
  description: 'Ends a run. Its slot stays held until its agent has confirmed that nothing of it is left.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Cancel a run',
    description:
      'Ends a run, whether it waits or works: what it has begun is asked to stop and killed after 10 s. The answer may be ' +
      'CANCELING; its slot stays held until its agent has confirmed that nothing of it is left.',
    destroys: true,
    idempotent: true,
  },
  input: v.object({
    runId: idOf('run'),
    reason: v.pipe(v.nullish(text({ max: 500 })), v.description('Shown as the run’s `problem`.')),
  }),
  output: runPayload('CancelRunPayload'),
})
