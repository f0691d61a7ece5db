/** A short soak in the everyday suite; the long one is `soak.ts`. Memory is judged by the long one alone, after its long rest. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { soak } from './run.ts'

test('attacks of every kind break nothing, leave nothing open, and honest callers are answered', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'signalbox-soak-'))
  const seed = Date.now() % 1_000_000
  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  try {
    const result = await soak({ dataDir, seed, warmupMs: 2_000, attackMs: 12_000, restMs: 500, atOnce: 20, say })
    const { findings, load, gauges } = result
    t.diagnostic(`seed ${seed}, ${load.answers} honest answers, p99 ${load.p99.toFixed(0)} ms`)
    assert.deepEqual(findings, [], `seed ${seed}`)
    assert.deepEqual(load.failures, [], `seed ${seed}`)
    assert.deepEqual(gauges, [], `seed ${seed}`)
    assert.ok(load.answers > 50, `only ${load.answers} honest answers`)
    assert.ok(load.followed > 0, 'the log was followed')
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})
