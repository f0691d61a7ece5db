/** A short run of `npm run chaos:kills`, as a test. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChaosOptions, chaos } from './kills/chaosRun.ts'
import { detailed, findings, summary } from './kills/report.ts'

export function testKills(counts: Pick<ChaosOptions, 'kills' | 'databaseKills' | 'agentKills'>): void {
  test('kills of the program, its database and its agents lose nothing acknowledged and break no rule', {
    timeout: 600_000,
  }, async (context) => {
    const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000)
    const least = 6
    const seen = await chaos({ seed, steps: least, ...counts })
    context.diagnostic(`seed ${seed}`)
    for (const line of summary(seen).split('\n')) context.diagnostic(line)
    const found = findings(seen)
    assert.equal(found.size, 0, `seed ${seed}\n${detailed(seen, found)}`)
    assert.ok(seen.asked.length > 20 && seen.lines.length > 10, 'the load was too small to prove anything')
    const steps = [...seen.actors.values()].filter(({ kind }) => kind === 'workflowStep')
    assert.ok(
      steps.length >= least,
      `only ${steps.length} steps of workflows began, which is too few to prove anything`,
    )
  })
}
