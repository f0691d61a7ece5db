/** The properties of presets, on as many documents as the suite has time for. `npm run props:presets` tries 10,000. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPresets } from './presetProperties.ts'

test('every document is imported as its preview shows or not at all, and an export is the same after an import elsewhere', async () => {
  const tally = await checkPresets({ runs: 300 })
  // If no document of a sort occurred, the property was not tested for it.
  for (const [sort, count] of Object.entries(tally)) assert.ok(count > 0, `no document counted as "${sort}"`)
})
