/** The operations on runs that exist: answer, cancel, interrupt, pause, resume. */
import * as v from 'valibot'
import { oneOf } from '../core/oneOf.ts'
import { mutation } from '../core/operation.ts'
import { idOf, text } from '../core/types.ts'
import { runPayload } from './newRuns.ts'
import { promptText } from './runRequests.ts'

const runAnswer = oneOf('RunAnswerInput', 'The answer to a question: exactly one of these.', {
  optionId: v.pipe(text({ min: 1, max: 1_000 }), v.description('The ID of one of the options of the question.')),
  text: v.pipe(promptText, v.description('An answer as free text. It becomes the next prompt.')),
})

export type RunAnswer = v.InferOutput<typeof runAnswer>

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

export const interruptRun = mutation({
  name: 'interruptRun',
  description:
    'Ends the current turn of a plan or session. The conversation is kept. The run ends as CANCELED with the problem INTERRUPTED.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Interrupt a run',
    description:
      'Ends the current turn of a plan or session: the coding CLI is asked to stop, and its conversation is kept. The run ends ' +
      'as CANCELED with the problem INTERRUPTED. Continue the conversation with `create_run_follow_up`.',
    destroys: true,
    idempotent: true,
  },
  input: v.object({ runId: idOf('run') }),
  output: runPayload('InterruptRunPayload'),
})

export const pauseRun = mutation({
  name: 'pauseRun',
  description:
    'Pauses a run: its processes are stopped, and its timeout does not run. It keeps its slot. The run is PAUSED when its agent has confirmed that.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Pause a run',
    description:
      'Pauses a run that executes: its processes are stopped (SIGSTOP), and its timeout does not run. It keeps its slot on the ' +
      'worktree. `isPauseRequested` is true at once. The status is PAUSED when the agent has confirmed it. Continue it with ' +
      '`resume_run`.',
    idempotent: true,
  },
  input: v.object({ runId: idOf('run') }),
  output: runPayload('PauseRunPayload'),
})

export const resumeRun = mutation({
  name: 'resumeRun',
  description: 'Continues a paused run.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Resume a run',
    description:
      'Continues a run that was paused with `pause_run`, or withdraws a pause that its agent has not confirmed.',
    idempotent: true,
  },
  input: v.object({ runId: idOf('run') }),
  output: runPayload('ResumeRunPayload'),
})
