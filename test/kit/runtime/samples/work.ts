/** Samples of plans, sessions, workflows and commands. */
import { jobIdOf } from '../../../../machines/work/steps/stepKeys.ts'
import { at, refusal, stepProblem } from './common.ts'
import type { AreaSamples } from './kindSamples.ts'

const commandContent = {
  name: 'review',
  description: 'Reviews a branch.',
  kind: 'PROMPT',
  template: 'Review {{branch}}.',
  arguments: [{ name: 'branch', description: '', type: 'TEXT', choices: [], default: null, required: true }],
} as const

const command = (name: string, needs: readonly string[]) => ({
  name,
  title: name,
  kind: 'COMMAND',
  needs,
  condition: 'SUCCEEDED',
  onlyIf: null,
  timeoutSeconds: null,
  retry: { maxAttempts: 1, delaySeconds: 10 },
  action: { command: { script: 'make', env: [] }, ai: null, workflow: null, build: null, approval: null },
})

const stepsSpec = {
  worktreePath: '/w',
  inputs: {},
  definition: {
    name: 'w',
    inputs: [],
    steps: [command('build', []), command('test', ['build'])],
    outputs: [{ name: 'version', value: '{{steps.build.version}}' }],
    exclusiveWorktree: false,
    overlapScope: 'WORKTREE',
    overlapPolicy: 'BUFFER_ALL',
    worktreeConcurrencyLimit: 0,
    timeoutSeconds: 60,
  },
}

const place = {
  runId: 'run_1',
  number: 1,
  title: 'w',
  worktreeId: 'wt_1',
  codebaseId: 'cbs_1',
  agentId: 'agt_1',
  above: ['run_1'],
}

/** The end of the first job of the sample step. */
const ofJob = { jobId: jobIdOf('x_1', 1) }

const skillVersion = {
  name: 'release-notes',
  description: 'Writes release notes.',
  sha256: 'a'.repeat(64),
  archiveSize: 90,
  size: 60,
  files: [{ path: 'SKILL.md', size: 60, sha256: 'b'.repeat(64), executable: false }],
  contentId: 'skc_1',
} as const

const scheduleContent = {
  ...{ name: 'nightly', worktreeId: 'wt_1', cron: '0 3 * * *', timeZone: 'Europe/Berlin', inputs: {} },
  ...{ jitterSeconds: 0, catchUpWindowSeconds: 86_400, startAt: null, endAt: null },
}

const turn = { runId: 'run_1', number: 1, changedAt: at, problem: null, conversation: 'c' }

const session = {
  worktreeId: 'wt_1',
  codebaseId: 'cbs_1',
  agentId: 'agt_1',
  title: 't',
  planId: 'pln_1',
  runId: 'run_1',
  createdAt: at,
}

const workflow = {
  definition: { name: 'w', steps: [] },
  rules: { overlapPolicy: 'BUFFER_ALL', overlapScope: 'WORKTREE' },
  createdAt: at,
}

const newRun = { run: { spec: { prompt: 'p' } }, grant: null }
const newTurn = { newRun, mayQueue: false }

export const work = {
  plan: {
    init: { worktreeId: 'wt_1', codebaseId: 'cbs_1', agentId: 'agt_1', title: 't', runId: 'run_1', createdAt: at },
    events: {
      'runChanged QUEUED': { ...turn, status: 'QUEUED', step: 1 },
      'runChanged SUCCEEDED': { ...turn, status: 'SUCCEEDED', step: 9, isAnswered: true },
      'runChanged MUTE': { ...turn, status: 'SUCCEEDED', step: 9 },
      'runChanged FAILED': { ...turn, status: 'FAILED', step: 9 },
      'turnAsked too early': { ...newTurn, runId: 'run_2', ended: [] },
      'turnAsked after run_1': { ...newTurn, runId: 'run_2', ended: ['run_1'] },
      play: { sessionId: 'ses_1', session },
      'sessionOver well': { sessionId: 'ses_1', succeeded: true },
      'sessionOver badly': { sessionId: 'ses_1', succeeded: false },
      edit: { text: 't', author: 'usr_1', base: null },
      'edit at revision 9': { text: 't', author: 'usr_1', base: null, expectedRevision: 9 },
      archive: {},
      unarchive: {},
    },
  },
  session: {
    init: session,
    events: {
      'runChanged QUEUED': { ...turn, status: 'QUEUED', step: 1 },
      'runChanged RUNNING': { ...turn, status: 'RUNNING', step: 2 },
      'runChanged WAITING': { ...turn, status: 'WAITING_FOR_INPUT', step: 3 },
      'runChanged PAUSED': { ...turn, status: 'PAUSED', step: 4 },
      'runChanged SUCCEEDED': { ...turn, status: 'SUCCEEDED', step: 9 },
      'turnAsked too early': { ...newTurn, runId: 'run_2', ended: [] },
      'turnAsked after run_1': { ...newTurn, runId: 'run_2', ended: ['run_1'] },
      'turnAsked to queue': { ...newTurn, runId: 'run_3', ended: [], mayQueue: true },
      followUpEdited: { runId: 'run_3', prompt: 'q', title: 'q' },
      followUpWithdrawn: { runId: 'run_3' },
      followUpsResumed: {},
      finish: {},
      fail: { message: 'm' },
      delete: {},
    },
  },
  workflow: {
    init: workflow,
    events: {
      saveDraft: { definition: { name: 'v', steps: [] }, rules: workflow.rules },
      'saveDraft at revision 9': {
        definition: { name: 'v', steps: [] },
        rules: workflow.rules,
        expectedRevision: 9,
      },
      'publish at revision 9': { by: 'usr_1', expectedRevision: 9 },
      publish: { by: 'usr_1' },
      start: { newRun, runId: 'run_1', worktreeId: 'wt_1', above: [], version: 1 },
      'start of another version': { newRun, runId: 'run_3', worktreeId: 'wt_1', above: [], version: 7 },
      overlapAsked: { runId: 'run_1' },
      'runChanged SUCCEEDED': { ...turn, status: 'SUCCEEDED', step: 9 },
      'runChanged QUEUED': { ...turn, status: 'QUEUED', step: 1 },
      endOthers: { runId: 'run_2', number: 2, scope: 'wt_1', above: [], how: 'cancel', after: '' },
      archive: {},
      unarchive: {},
    },
  },
  workflowExecution: {
    init: { ...place, spec: stepsSpec, createdAt: at },
    otherInits: [
      {
        spec: {
          ...stepsSpec,
          reuse: { build: { stepId: 'stp_1', outputs: {} }, test: { stepId: 'stp_2', outputs: {} } },
        },
      },
    ],
    events: {
      'stepChanged ACTIVE': { name: 'build', status: 'ACTIVE', step: 1, problem: null, outputs: {} },
      'stepChanged WAITING': { name: 'build', status: 'WAITING', step: 2, problem: null, outputs: {} },
      'stepChanged SUCCEEDED': {
        name: 'build',
        status: 'SUCCEEDED',
        step: 9,
        problem: null,
        outputs: { version: '1' },
      },
      'stepChanged FAILED': { name: 'build', status: 'FAILED', step: 9, problem: stepProblem, outputs: {} },
      'stepChanged LOST': { name: 'test', status: 'LOST', step: 9, problem: stepProblem, outputs: {} },
      'refused jobReady': { ...refusal, sent: 'jobReady' },
      'stepChanged of the other step': { name: 'test', status: 'SUCCEEDED', step: 9, problem: null, outputs: {} },
      setPaused: { isPaused: true, revision: 1 },
      'setPaused false': { isPaused: false, revision: 2 },
      cancel: {},
    },
  },
  workflowStep: {
    init: {
      place: { ...place, worktreePath: '/w' },
      name: 'build',
      stepTitle: 'Build',
      kind: 'COMMAND',
      retry: { maxAttempts: 2, delaySeconds: 10 },
      timeoutSeconds: 60,
      begin: { type: 'start', task: { kind: 'COMMAND', script: 'make', env: {} } },
      createdAt: at,
    },
    otherInits: [
      { kind: 'AI', type: 'start', task: { kind: 'AI', runKind: 'SESSION', prompt: 'Do it.' } },
      { kind: 'BUILD', type: 'start', task: { kind: 'BUILD', buildConfigurationId: 'bcf_1', buildKind: 'BUILD' } },
      { kind: 'APPROVAL', type: 'start', task: { kind: 'APPROVAL', message: 'Deploy?', deadlineSeconds: 60 } },
      { kind: 'COMMAND', type: 'skip', problem: stepProblem },
      { kind: 'COMMAND', type: 'fail', problem: stepProblem },
      { kind: 'COMMAND', type: 'reuse', stepId: 'stp_1', outputs: { version: '1' } },
    ].map(({ kind, ...begin }) => ({ kind, begin, retry: { maxAttempts: 1, delaySeconds: 10 } })),
    events: {
      placed: { queuedAt: at },
      admit: { queuedAt: at },
      agentRevoked: {},
      jobReady: ofJob,
      'jobChanged STARTED': { ...ofJob, step: 1, state: 'STARTED' },
      'jobChanged PAUSED': { ...ofJob, step: 2, state: 'PAUSED' },
      'jobEnded SUCCEEDED': { ...ofJob, outcome: 'SUCCEEDED', problem: null, result: { outputs: { version: '1' } } },
      'jobEnded FAILED': { ...ofJob, outcome: 'FAILED', problem: stepProblem, result: null },
      'jobEnded LOST': { ...ofJob, outcome: 'LOST', problem: stepProblem, result: null },
      'jobEnded CANCELED': { ...ofJob, outcome: 'CANCELED', problem: null, result: null },
      'childChanged TIMED_OUT': { runId: 'run_3', status: 'TIMED_OUT', step: 9, problem: stepProblem, outputs: {} },
      'refused enqueue': { ...refusal, sent: 'enqueue' },
      'refused stepChanged': { ...refusal, sent: 'stepChanged' },
      effectFailed: { effectId: 'e', effect: 'requestOperation', problem: 'p' },
      effectRecovered: { effectId: 'e' },
      effectGivenUp: { effectId: 'e' },
      requestAnswered: { request: 1, answer: { run: { id: 'run_2' } } },
      requestRefused: { request: 1, code: 'FAILED_PRECONDITION', message: 'No.' },
      'deadlockFound of another run': { runId: 'run_9', runIds: ['run_9'] },
      deadlockFound: { runId: 'run_2', runIds: ['run_2', 'run_1'] },
      'childChanged RUNNING': { runId: 'run_2', status: 'RUNNING', step: 1, problem: null, outputs: {} },
      'childChanged SUCCEEDED': { runId: 'run_2', status: 'SUCCEEDED', step: 9, problem: null, outputs: { text: 'x' } },
      'childChanged FAILED': { runId: 'run_2', status: 'FAILED', step: 9, problem: stepProblem, outputs: {} },
      'decide APPROVED': { decision: 'APPROVED', by: 'usr_1', comment: null },
      'decide REJECTED': { decision: 'REJECTED', by: 'usr_1', comment: 'Not today.' },
      setPaused: { isPaused: true, revision: 1 },
      'setPaused false': { isPaused: false, revision: 2 },
      terminate: {},
      cancel: {},
    },
  },
  schedule: {
    init: { workflowId: 'wfl_1', content: scheduleContent, createdBy: 'usr_1', createdAt: at },
    events: {
      update: { content: { ...scheduleContent, cron: '0 4 * * *' } },
      'update to no more times': { content: { ...scheduleContent, endAt: at } },
      'update as it is': { content: scheduleContent },
      'update at revision 9': { content: scheduleContent, expectedRevision: 9 },
      pause: { pauseReason: 'holidays' },
      resume: {},
      trigger: {},
      backfill: { from: at - 3 * 86_400_000, to: at },
      'backfill of no time': { from: at, to: at },
      requestAnswered: { request: { number: 1, scheduledAt: at }, answer: { run: { id: 'run_1' } } },
      requestRefused: {
        request: { number: 1, scheduledAt: at },
        code: 'FAILED_PRECONDITION',
        message: 'The worktree is MISSING.',
      },
      effectFailed: { effectId: 'sch_1:2:0', effect: 'requestOperation', problem: 'down' },
      effectRecovered: { effectId: 'sch_1:2:0' },
      effectGivenUp: { effectId: 'sch_1:2:0' },
      delete: {},
    },
  },
  command: {
    init: { repositoryId: null, content: commandContent, createdBy: 'usr_1', createdAt: at },
    events: {
      update: { content: { ...commandContent, description: 'Reviews it.' }, author: 'usr_1' },
      'update as it is': { content: commandContent, author: 'usr_1' },
      'update at revision 9': { content: commandContent, author: 'usr_1', expectedRevision: 9 },
      archive: {},
      unarchive: {},
    },
  },
  skill: {
    init: { repositoryId: null, content: skillVersion, createdBy: 'usr_1', createdAt: at },
    events: {
      update: { content: { ...skillVersion, sha256: 'c'.repeat(64), contentId: 'skc_2' }, author: 'usr_1' },
      'update as it is': { content: { ...skillVersion, contentId: 'skc_2' }, author: 'usr_1' },
      'update at revision 9': { content: skillVersion, author: 'usr_1', expectedRevision: 9 },
      archive: {},
      unarchive: {},
    },
  },
  skillContent: {
    init: { skillId: 'skl_1', createdAt: at },
    events: { 'none of its events': {} },
  },
} satisfies AreaSamples
