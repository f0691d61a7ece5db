/** The properties of operator actions, on as many worlds as the suite has time for. `npm run props:operatorActions` tries 10,000. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkOperatorActions } from './operatorActionProperties.ts'

test('every operator action has the result of its preview, or does nothing because the actor has changed', async () => {
  const tally = await checkOperatorActions({ runs: 100 })
  // If no case of a sort occurred, the property was not tested for it.
  for (const [sort, count] of Object.entries(tally)) assert.ok(count > 0, `no action counted as "${sort}"`)
})
