/** A run names its job once that is there: whoever follows what is named must not be told that there is no such job. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runFromRow } from '../../../gateway/operations/runs/runs.ts'
import type { ActorRow } from '../../../spec/core/actor.ts'

const admitted: ActorRow = {
  kind: 'run',
  id: 'run_01kaphycs20ttbh03crt4z199j',
  seq: 2,
  columns: { status: 'ADMITTED', terminal: false, unwatched: false, incidents: 0 },
  createdAt: 1,
  changedAt: 2,
  value: { lifecycle: 'ADMITTED', incident: 'CLEAR' },
  context: {
    queue: { queuedAt: 1, limit: 1 },
    question: null,
    times: { admitted: 2, started: null, ended: null },
    job: { ready: false },
    problem: null,
    exit: null,
  },
  init: { kind: 'SESSION', number: 1, title: 'build' },
  timers: [],
  machine: { version: 1, hash: 'a' },
}

test('an admitted run has no job until that has answered', () => {
  assert.equal(runFromRow(admitted).jobId, null)
  const ready = { ...admitted, context: { ...admitted.context, job: { ready: true } } }
  assert.equal(runFromRow(ready).jobId, 'job_01kaphycs20ttbh03crt4z199j')
})
