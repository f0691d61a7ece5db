/** The properties of operator actions, on as many worlds as the suite has time for. `npm run props:acts` tries 10,000. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkActs } from './actProperties.ts'

test('every act does what its preview said, or does nothing because the actor has moved on', async () => {
  const tally = await checkActs({ runs: 100 })
  // If no case of a sort occurred, the property was not tested for it.
  for (const [sort, count] of Object.entries(tally)) assert.ok(count > 0, `none was ${sort}`)
})
