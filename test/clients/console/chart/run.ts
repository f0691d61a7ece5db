/** A machine like the project's runs: a lifecycle with many ways out, and incidents beside it. */

const endings = ['SUCCEEDED', 'FAILED', 'CANCELED', 'TIMED_OUT', 'LOST', 'SKIPPED'] as const

const labels: Readonly<Record<(typeof endings)[number], string>> = {
  SUCCEEDED: 'Succeeded',
  FAILED: 'Failed',
  CANCELED: 'Canceled',
  TIMED_OUT: 'Timed out',
  LOST: 'Lost',
  SKIPPED: 'Skipped',
}

const completion = [
  { guard: 'succeeded', target: 'SUCCEEDED', actions: 'takeResult' },
  { guard: 'canceled', target: 'CANCELED', actions: 'takeResult' },
  { target: 'FAILED', actions: 'takeResult' },
]

const over = [{ guard: 'lastIncident', target: 'CLEAR' }, { actions: 'incidentClosed' }]

export const run = {
  id: 'run',
  context: { function: 'context' },
  type: 'parallel',
  states: {
    lifecycle: {
      initial: 'QUEUED',
      states: {
        QUEUED: {
          entry: { function: 'wait' },
          meta: { label: 'Waiting for its turn', waitsFor: 'the queue to admit it', unbounded: 'the queue moves on' },
          on: {
            admit: { target: 'ADMITTED', actions: { function: 'act' } },
            move: { actions: 'changePlace' },
            cancel: 'CANCELED',
            skip: { target: 'SKIPPED', actions: 'noteSkip' },
          },
        },
        ADMITTED: {
          meta: { label: 'Has a slot', waitsFor: 'its worktree', expected: 15_000 },
          on: { worktreeReady: 'STARTING', cancel: 'CANCELED', worktreeFailed: 'FAILED' },
        },
        STARTING: {
          meta: { label: 'Starting', waitsFor: 'the agent to accept the job', expected: 10_000 },
          after: { 10000: { target: 'QUEUED', actions: 'requeue' } },
          on: { jobStarted: 'RUNNING', jobRefused: 'FAILED', cancel: 'CANCELING' },
        },
        RUNNING: {
          meta: { label: 'Running', waitsFor: 'the job to end', lease: 'agent heartbeats' },
          after: { timeLimit: 'TIMED_OUT' },
          on: {
            output: { actions: 'keepOutput' },
            progress: { actions: 'noteProgress' },
            jobWaiting: 'WAITING_FOR_INPUT',
            pause: 'PAUSED',
            jobEnded: completion,
            leaseExpired: [{ guard: 'mayRepeat', target: 'QUEUED' }, { target: 'LOST' }],
            cancel: { target: 'CANCELING', actions: 'noteCancel' },
          },
        },
        WAITING_FOR_INPUT: {
          meta: { label: 'Waiting for an answer', waitsFor: 'a person', unbounded: 'a person answers' },
          on: { answer: 'RUNNING', cancel: 'CANCELING', leaseExpired: 'LOST' },
        },
        PAUSED: {
          meta: { label: 'Paused', waitsFor: 'an operator to resume it', unbounded: 'an operator decides' },
          on: { resume: 'RUNNING', cancel: 'CANCELING' },
        },
        CANCELING: {
          meta: { label: 'Stopping', waitsFor: 'the agent to confirm', expected: 30_000 },
          after: { 30000: 'LOST' },
          on: { jobEnded: completion, leaseExpired: 'LOST' },
        },
        ...Object.fromEntries(endings.map((name) => [name, { tags: ['terminal'], meta: { label: labels[name] } }])),
      },
    },
    incident: {
      initial: 'CLEAR',
      states: {
        CLEAR: { meta: { label: 'No incident' }, on: { effectFailed: { target: 'OPEN', actions: 'incidentOpened' } } },
        OPEN: {
          meta: { label: 'Incident', waitsFor: 'an operator', unbounded: 'an operator decides' },
          on: { effectFailed: { actions: 'incidentOpened' }, effectRecovered: over, effectGivenUp: over },
        },
      },
    },
  },
}
