/** A short run of `npm run chaos:uploads`, as a test. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uploadChaos } from './uploadChaos.ts'

for (const place of ['files', 'folder', 's3'] as const)
  test(`uploads and transfers on ${place} are complete and correct after cuts and kills`, {
    timeout: 180_000,
  }, async (context) => {
    const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000)
    const result = await uploadChaos({ seed, place, cuts: 30, kills: 0 })
    context.diagnostic(`seed ${seed}, ${JSON.stringify(result)}`)
    assert.deepEqual(result.violations, [], `seed ${seed}`)
    assert.ok(result.cuts >= 30)
    assert.ok(result.uploads > 0 && result.transfers > 0)
  })
