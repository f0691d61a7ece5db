/** Samples of runs. */
import { at, refusal } from './common.ts'
import type { AreaSamples } from './kindSamples.ts'

const changed = { jobId: 'job_1', token: null, questionId: null, question: null }

const ended = { jobId: 'job_1', problem: null, exit: null, result: null }

export const runs = {
  runAttachment: {
    init: { name: 'notes.txt', contentType: 'text/plain', uploadedBy: 'usr_1', createdAt: at },
    events: {
      stored: { size: 3, sha256: 'h' },
      'stored with other bytes': { size: 4, sha256: 'g' },
      abandon: {},
      attach: { runId: 'run_1' },
      'attach to another run': { runId: 'run_2' },
      release: { runId: 'run_1' },
      'release by another run': { runId: 'run_2' },
      remove: {},
    },
  },
  bulkRunAction: {
    init: {
      action: 'CANCEL',
      runIds: ['run_1'],
      newRunIds: [],
      remaining: 2,
      requestKey: 'usr_1|performBulkRunAction|k',
      requestedBy: 'usr_1',
      createdAt: at,
    },
    events: { change: {} },
  },
  run: {
    init: {
      kind: 'SESSION',
      number: 1,
      title: 't',
      worktreeId: 'wt_1',
      codebaseId: 'cbs_1',
      agentId: 'agt_1',
      ownerId: 'ses_1',
      parentRunId: null,
      above: [],
      limit: 1,
      exclusive: false,
      timeoutSeconds: 60,
      jobKind: 'AI',
      spec: {},
      requestedBy: 'usr_1',
      createdAt: at,
    },
    events: {
      placed: { queuedAt: at },
      admit: { queuedAt: at },
      agentRevoked: {},
      overlapReady: {},
      overlapSkipped: { message: 'm' },
      configure: { limit: 3 },
      jobReady: { jobId: 'job_1' },
      'jobChanged ACCEPTED': { ...changed, step: 1, state: 'ACCEPTED', token: { hash: 't', issuedAt: at } },
      'jobChanged STARTED': { ...changed, step: 2, state: 'STARTED' },
      pause: {},
      resume: {},
      interrupt: {},
      'jobChanged WAITING': { ...changed, step: 3, state: 'WAITING', questionId: 'q', question: {} },
      'jobChanged PAUSED': { ...changed, step: 4, state: 'PAUSED' },
      'jobChanged ACCEPTED again': { ...changed, step: 5, state: 'ACCEPTED', token: { hash: 't3', issuedAt: at + 2 } },
      'jobChanged stale': { ...changed, step: 0, state: 'STARTED' },
      'jobEnded SUCCEEDED': { ...ended, outcome: 'SUCCEEDED' },
      'jobEnded FAILED': { ...ended, outcome: 'FAILED' },
      'jobEnded CANCELED': { ...ended, outcome: 'CANCELED' },
      'jobEnded TIMED_OUT': { ...ended, outcome: 'TIMED_OUT' },
      'jobEnded LOST': { ...ended, outcome: 'LOST' },
      tokenIssued: { hash: 't2', issuedAt: at + 1 },
      answer: { questionId: 'q', answer: {} },
      'answer to another': { questionId: 'q0', answer: {} },
      cancel: {},
      terminate: {},
      'refused enqueue': { ...refusal, sent: 'enqueue' },
      'refused other': { ...refusal, sent: 'configure' },
      effectFailed: { effectId: 'e', effect: 'endStream', problem: 'p' },
      effectRecovered: { effectId: 'e' },
      effectGivenUp: { effectId: 'e' },
    },
  },
} satisfies AreaSamples
