/** Faults in the machines of workflow executions and steps. */
import type { Lookout, Mutant } from './mutant.ts'

const histories: Lookout = { file: 'test/longRuns/props/workflowHistories.test.ts' }
const late: Lookout = { file: 'test/machines/work/steps/lateMessages.test.ts' }
const execution: Lookout = { file: 'test/machines/work/steps/execution.test.ts' }

export const workflows: readonly Mutant[] = [
  {
    name: 'step keeps its entry',
    fault: 'A step that has ended does not leave the queue.',
    file: 'machines/work/steps/stepContext.ts',
    search: 'tell: isQueued ? [toQueue(context, left)] : []',
    replace: 'tell: isQueued && !isAdmitted ? [toQueue(context, left)] : []',
    tests: [histories],
  },
  {
    name: 'jobs not counted',
    fault: 'The slot of a repeated step is free when its first job has settled.',
    file: 'machines/work/steps/stepContext.ts',
    search: "{ type: 'ended', jobs: attempt }",
    replace: "{ type: 'ended' }",
    tests: [histories],
  },
  {
    name: 'execution does not greet',
    fault: 'A step that reports for the first time is not sent the cancel that was requested before.',
    file: 'machines/work/steps/executionContext.ts',
    search: 'const greeted = wasCreated && activities',
    replace: 'const greeted = !wasCreated && activities',
    tests: [execution, histories],
  },
  {
    name: 'queue forgets a rider',
    fault: 'A slot is freed although a step still shares it.',
    file: 'machines/worktrees/admission.ts',
    search: 'return { book: rides === null ? next : addRider(next, rides, 1), entry: placed }',
    replace: 'return { book: next, entry: placed }',
    tests: [histories],
  },
  {
    name: 'execution not announced',
    fault: 'A run that was canceled before its execution existed never cancels it.',
    file: 'machines/work/steps/executionContext.ts',
    search: 'tell: [ready, ...(said.tell ?? [])',
    replace: 'tell: [...(said.tell ?? [])',
    tests: [late],
  },
  {
    name: 'execution without a run',
    fault: 'The steps of a run that was force-ended go on.',
    file: 'machines/work/steps/workflowExecution.ts',
    search: "event.type === 'refused' && event.told === 'jobReady'",
    replace: "event.type === 'refused' && event.told === 'never'",
    tests: [late, histories],
  },
  {
    name: 'step without an execution',
    fault: 'A step goes on although its execution has ended.',
    file: 'machines/work/steps/workflowStep.ts',
    search: "event.type === 'refused' && event.told === 'stepChanged'",
    replace: "event.type === 'refused' && event.told === 'never'",
    tests: [late],
  },
  {
    name: 'job misses its pause',
    fault: 'A job that is accepted after the pause of its step is not paused.',
    file: 'machines/work/steps/stepContext.ts',
    search: "pause.isRequested && state !== 'PAUSED' ? [toJob",
    replace: "pause.isRequested && state === 'PAUSED' ? [toJob",
    tests: [late],
  },
  {
    name: 'run misses its pause',
    fault: 'A run that starts after the pause of its step is not paused.',
    file: 'machines/work/steps/stepContext.ts',
    search: "event.status !== 'QUEUED' && activity !== 'PAUSED'",
    replace: "event.status === 'QUEUED' && activity !== 'PAUSED'",
    tests: [late],
  },
  {
    name: 'step begins too early',
    fault: 'A step begins before all steps that it needs have ended.',
    file: 'machines/work/steps/executionContext.ts',
    search: 'if (!needed.every(hasEnded)) continue',
    replace: 'if (needed.length > 0 && !needed.some(hasEnded)) continue',
    tests: [histories],
  },
  {
    name: 'failure reported as success',
    fault: 'A run succeeds although one of its steps was canceled.',
    file: 'machines/work/steps/executionContext.ts',
    search: "status !== 'SUCCEEDED' && status !== 'SKIPPED'\n",
    replace: "status === 'FAILED'\n",
    tests: [histories],
  },
  {
    name: 'child outcome ignored',
    fault: 'A step succeeds although its run was skipped.',
    file: 'machines/work/steps/workflowStep.ts',
    search: "{ guard: 'skipped', target: 'SKIPPED', actions: 'takeEnd' }",
    replace: "{ guard: 'skipped', target: 'SUCCEEDED', actions: 'takeEnd' }",
    tests: [histories],
  },
]
