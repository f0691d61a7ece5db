/** Random histories of workflows, for as long as the suite has time. `npm run props:workflows` plays 10,000. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkWorkflows } from './workflows/workflowProperties.ts'

test('no history leaks a slot, deadlocks, passes a limit or an earlier run, or fires twice', () => {
  const tally = checkWorkflows({ runs: 150, seed: 1 })
  const cases = [
    'WORKFLOW SUCCEEDED',
    'step WORKFLOW SUCCEEDED',
    'step APPROVAL SUCCEEDED',
    'repeated steps',
    'firings',
  ]
  for (const one of [...cases, 'paused executions', 'refusedRequests', 'revoked agents'])
    assert.ok((tally[one] ?? 0) > 0, `${one} did not occur`)
})
