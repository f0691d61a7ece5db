/** A short run of the fuzzer of files. The long one is `npm run fuzz:files`. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fuzzFiles } from './fileFuzz.ts'
import { figureLines } from './fileReport.ts'
import { fuzzedReaders } from './readers/readers.ts'

test('every reader of files ends within its bounds, with a valid result or a declared error', {
  timeout: 600_000,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-files-'))
  const { runs, findings } = await fuzzFiles({
    module: new URL('./readers/readers.ts', import.meta.url).href,
    // Their number ends the run. The time is a bound for a slow machine.
    ...{ readers: fuzzedReaders, seed: 1, inputs: 1_000, forMs: 480_000, folder, reportEachMs: 60_000 },
    // The machine has other tests at the same time.
    bounds: { slowMs: 5_000, withinMs: 60_000 },
    report: (line) => t.diagnostic(line),
  })
  for (const line of figureLines(runs)) t.diagnostic(line)
  // The files of findings stay for a look at them.
  assert.deepEqual(findings.all, [])
  rmSync(folder, { recursive: true, force: true })
  for (const { reader, figures } of runs) {
    const { inputs, read, coverage } = figures
    assert.ok(inputs >= 1_000, `${reader.name}: ${inputs} files`)
    assert.ok(read > inputs / 20 && read < inputs, `${reader.name}: ${read} of ${inputs} files were read`)
    assert.ok(coverage.executed > coverage.all / 2, `${reader.name}: ${JSON.stringify(coverage)}`)
  }
})
