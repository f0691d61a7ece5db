/** The agents bench with few agents: all its parts run, and the results have the right order of magnitude. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { measureAgents } from './support/measureAgents.ts'

test('200 agents connect, send heartbeats, receive their offers and reconnect after a kill of the server', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'signalbox-bench-'))
  try {
    const bench = { dataDir, agents: 200, offers: 20, heartbeatMs: 2_000, settleMs: 500, say: () => {} }
    const found = await measureAgents(bench)
    assert.ok(found.cpuShare < 0.5, `heartbeats of 200 agents took ${found.cpuShare} of a core`)
    assert.ok(found.offer.p50 < 2_000, `an offer took ${found.offer.p50} ms`)
    // The figure includes compiled code, which 10,000 agents would share.
    assert.ok(found.heldBytes < 200_000, `an agent costs ${found.heldBytes} bytes`)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})
