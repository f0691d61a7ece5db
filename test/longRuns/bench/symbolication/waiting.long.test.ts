/** The measurement of waiting reports with few of them: each is symbolicated exactly once, and all kinds of requests are answered meanwhile. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { compileImage } from './compileImage.ts'
import { measureWaiting } from './measureWaiting.ts'

test('120 reports that wait for one image are symbolicated exactly once each, while requests are answered', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'waiting-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const lines: string[] = []
  const found = await measureWaiting({
    compiled: await compileImage(folder, 50),
    ...{ reports: 120, threads: 2, framesPerThread: 4, systemFrames: 2 },
    ...{ idleMs: 300, everyMs: 20 },
    print: (line) => void lines.push(line),
  })
  assert.match(lines.join(), /^120 crash reports received, \d+ a second$/)
  assert.deepEqual(
    [...found.byStatus].filter(([, count]) => count > 0),
    [['SYMBOLICATED', 120]],
  )
  assert.deepEqual([found.symbolications, found.storedSymbolications], [120, 120])
  assert.ok(found.symbolicatedPerSecond > 0)
  for (const [name, times] of [...found.idle, ...found.busy])
    assert.ok(times.length > 0 && times.every((ms) => ms > 0), `${name}: ${times}`)
})
