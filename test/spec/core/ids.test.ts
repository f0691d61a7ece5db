/** IDs that follow from other IDs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobIdOf, stepIdOf } from '../../../machines/work/steps/stepKeys.ts'
import { kindOfId, numberedId, siblingId, uuidOf } from '../../../spec/core/ids.ts'

const runId = 'run_01h455vb4pex5vsknk084sn02q'

test('the steps of a run and the jobs of all attempts of its steps have different IDs', () => {
  const steps = Array.from({ length: 50 }, (_, index) => stepIdOf(runId, index))
  const jobs = steps.flatMap((stepId) => Array.from({ length: 10 }, (_, attempt) => jobIdOf(stepId, attempt + 1)))
  const all = [runId, siblingId('job', runId), ...steps, ...jobs].map((id) => uuidOf(id))
  // The run and its sibling have the same UUID.
  assert.equal(new Set(all).size, all.length - 1)
})

test('a derived ID is the same at each call, and has the time and the version of its source', () => {
  const id = numberedId('job', runId, 3)
  assert.equal(id, numberedId('job', runId, 3))
  assert.equal(kindOfId(id), 'job')
  const [own, other] = [uuidOf(id), uuidOf(runId)]
  assert.equal(own.slice(0, 20), other.slice(0, 20).replace(/.$/, own[19] ?? ''))
  assert.match(own, /^.{14}7.{4}[89ab]/)
})
