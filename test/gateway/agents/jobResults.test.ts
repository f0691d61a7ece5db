/** The results that agents report with the end of a job. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobResult } from '../../../gateway/operations/agents/jobResults.ts'
import { Failure } from '../../../spec/core/failure.ts'

const absent = { content: 'ABSENT', size: null }

test('an agent cannot report the success of a job that reads an image without the result', () => {
  for (const none of [null, undefined])
    assert.throws(
      () => jobResult('DIFF_IMAGE', none, true),
      (error) =>
        error instanceof Failure &&
        error.code === 'BAD_USER_INPUT' &&
        error.details?.field === 'result' &&
        /^result: must be given when a job DIFF_IMAGE has succeeded\. Otherwise report another outcome/.test(
          error.message,
        ),
    )
  assert.deepEqual(jobResult('DIFF_IMAGE', { before: absent, after: absent }, true), { before: absent, after: absent })
})

test('a failed job, and a job of another kind, needs no result', () => {
  assert.equal(jobResult('DIFF_IMAGE', null, false), null)
  for (const kind of ['COMMANDS', 'AI', 'BUILD', 'CREATE_WORKTREE', 'REMOVE_WORKTREE'])
    assert.equal(jobResult(kind, undefined, true), null)
})
