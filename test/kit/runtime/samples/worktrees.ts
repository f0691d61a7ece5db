/** Samples of repositories and worktrees. */
import { at, jobEnd, refusal, stepProblem } from './common.ts'
import type { AreaSamples } from './kindSamples.ts'

const codebase = {
  agentId: 'agt_1',
  path: '/c',
  createdAt: at,
  repositoryId: null,
  branches: null,
  state: {
    observedOrigin: null,
    branch: 'main',
    headSha: null,
    upstream: null,
    ahead: null,
    behind: null,
    syncState: 'CLEAN',
    statusError: null,
    lastCheckedAt: '2026-01-01T00:00:00.000Z',
    lastFetchedAt: null,
  },
}

export const worktrees = {
  repository: {
    init: { name: 'github.com/acme/shop', createdAt: at },
    events: {
      savePreparations: { preparations: [{ name: 'install', command: 'npm ci' }], by: 'usr_1' },
      'savePreparations at revision 9': { preparations: [], by: 'usr_1', expectedRevision: 9 },
    },
  },
  codebase: {
    init: codebase,
    events: {
      'reported PRESENT': {
        available: true,
        state: { ...codebase.state, observedOrigin: 'git@github.com:acme/shop.git' },
        repositoryId: 'rep_1',
        branches: ['main'],
      },
      'reported MISSING': { available: false, state: codebase.state, repositoryId: null, branches: null },
      remove: {},
    },
  },
  worktree: {
    init: {
      agentId: 'agt_1',
      codebaseId: 'cbs_1',
      codebasePath: '/c',
      adopted: false,
      path: '/c/w',
      branch: 'b',
      base: null,
      headSha: null,
      main: false,
      createdAt: at,
    },
    events: {
      jobReady: { jobId: 'job_1' },
      'jobEnded SUCCEEDED': {
        jobId: 'job_1',
        outcome: 'SUCCEEDED',
        problem: null,
        result: { path: '/c/w', branch: 'b', headSha: 's' },
      },
      'jobEnded FAILED': { jobId: 'job_1', outcome: 'FAILED', problem: { code: 'X', message: 'x' }, result: null },
      queueWaits: { jobId: 'job_1' },
      'queueWaits for another': { jobId: 'job_0' },
      'reported PRESENT': { available: true, branch: 'b', headSha: 's' },
      'reported MISSING': { available: false, branch: null, headSha: null },
      'jobEnded AGENT_REVOKED': {
        jobId: 'job_1',
        outcome: 'CANCELED',
        problem: { code: 'AGENT_REVOKED', message: 'x' },
        result: null,
      },
      remove: { jobId: 'job_1', force: false, agentRevoked: false },
      'remove of a revoked agent': { jobId: 'job_1', force: false, agentRevoked: true },
    },
  },
  worktreeQueue: {
    init: { worktreeId: 'wt_1', codebaseId: 'cbs_1', agentId: 'agt_1', createdAt: at },
    events: {
      enqueue: {
        runId: 'run_1',
        kind: 'SESSION',
        limit: 1,
        exclusive: true,
        ready: true,
        revision: 0,
        above: [],
      },
      'enqueue unready': {
        runId: 'run_2',
        kind: 'WORKFLOW',
        limit: 0,
        exclusive: false,
        ready: false,
        revision: 0,
        above: [],
      },
      'enqueue a child': {
        runId: 'run_3',
        kind: 'PLAN',
        limit: 0,
        exclusive: false,
        ready: true,
        revision: 0,
        above: ['run_0', 'run_1'],
      },
      configure: { runId: 'run_2', limit: 2, ready: true, revision: 1, above: [] },
      withdraw: { runId: 'run_2' },
      ended: { runId: 'run_1' },
      settled: { runId: 'run_1' },
      pause: {},
      resume: {},
      agentDrain: { draining: true, revision: 1 },
      'agentDrain over': { draining: false, revision: 2 },
      agentRevoked: {},
      releaseSlot: { holderId: 'run_1' },
      releaseReservation: {},
      continue: {},
      close: { jobId: 'job_1' },
      reopen: { jobId: 'job_1' },
      'reopen after another': { jobId: 'job_0' },
      closed: {},
      'refused admit': { ...refusal, sent: 'admit' },
      'refused placed': { ...refusal, sent: 'placed' },
      'refused queueWaits': { ...refusal, sent: 'queueWaits', code: 'NOT_FOUND' },
      'refused queueAdded': { ...refusal, sent: 'queueAdded' },
    },
  },
  diffImage: {
    init: {
      ...{ worktreeId: 'wt_1', worktreePath: '/w', agentId: 'agt_1', path: 'logo.png', oldPath: 'logo.png' },
      ...{ base: 'HEAD', head: null, createdAt: at },
    },
    events: {
      jobReady: { jobId: 'job_1' },
      'jobEnded SUCCEEDED': {
        ...{ ...jobEnd, outcome: 'SUCCEEDED' },
        result: {
          before: { content: 'ABSENT', size: null },
          after: { content: 'PNG', size: 70, sha256: 'a'.repeat(64) },
        },
      },
      'jobEnded FAILED': { ...jobEnd, outcome: 'FAILED', problem: stepProblem },
      'jobEnded LOST': { ...jobEnd, outcome: 'LOST' },
    },
  },
} satisfies AreaSamples
