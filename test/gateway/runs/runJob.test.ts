/** A run has the ID of its job only after the job exists, so a client that reads the ID always finds the job. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runFromRow } from '../../../gateway/operations/runs/runs.ts'
import type { TypedRow } from '../../../machines/rows.ts'

const admitted: TypedRow<'run'> = {
  kind: 'run',
  id: 'run_01kaphycs20ttbh03crt4z199j',
  seq: 2,
  columns: { status: 'ADMITTED', terminal: false, unwatched: false, incidents: 0 },
  createdAt: 1,
  changedAt: 2,
  value: { lifecycle: 'ADMITTED', incident: 'CLEAR' },
  context: {
    id: 'run_01kaphycs20ttbh03crt4z199j',
    incidents: 0,
    queue: { queuedAt: 1, limit: 1, ready: true, revision: 0 },
    token: null,
    question: null,
    pause: { isRequested: false, revision: 0 },
    times: { admitted: 2, started: null, ended: null },
    job: { ready: false, step: 0 },
    problem: null,
    exit: null,
    step: 0,
  },
  init: {
    kind: 'SESSION',
    number: 1,
    title: 'build',
    worktreeId: 'wt_01kaphycs20ttbh03crt4z199j',
    codebaseId: 'cb_01kaphycs20ttbh03crt4z199j',
    agentId: 'agt_01kaphycs20ttbh03crt4z199j',
    ownerId: 'ses_01kaphycs20ttbh03crt4z199j',
    parentRunId: null,
    above: [],
    limit: 1,
    exclusive: false,
    timeoutSeconds: 60,
    jobKind: 'AI',
    spec: {},
    requestedBy: 'usr_1',
    createdAt: 1,
  },
  timers: [],
  machine: { version: 1, hash: 'a' },
}

test('an admitted run has no job ID until its job exists', () => {
  assert.equal(runFromRow(admitted).jobId, null)
  const ready = { ...admitted, context: { ...admitted.context, job: { ready: true, step: 1 } } }
  assert.equal(runFromRow(ready).jobId, 'job_01kaphycs20ttbh03crt4z199j')
})
