/** Random histories of workflows, as many as the suite has time for. `npm run props:workflows` tries 10,000. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkWorkflows } from './workflows/workflowProperties.ts'

/** If one of these did not occur, the properties were not tested for it. */
const cases = [
  ...['COMMAND', 'AI', 'WORKFLOW', 'BUILD', 'APPROVAL'].flatMap((kind) =>
    ['SUCCEEDED', 'FAILED', 'CANCELED', 'SKIPPED'].map((state) => `step ${kind} ${state}`),
  ),
  ...['SUCCEEDED', 'FAILED', 'CANCELED', 'TIMED_OUT', 'SKIPPED'].map((state) => `run WORKFLOW ${state}`),
  ...['firings', 'refused requests', 'repeated steps', 'paused executions', 'revoked agents', 'deadlocks'],
]

test('every run of a workflow ends, frees its slots and agrees with its steps, in every order of messages', () => {
  const tally = checkWorkflows({ runs: 240, seed: 1 })
  assert.deepEqual(
    cases.filter((one) => (tally[one] ?? 0) === 0),
    [],
  )
})
