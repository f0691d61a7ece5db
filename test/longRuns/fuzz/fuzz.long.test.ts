/** A short run of the fuzzer. The long one is `npm run fuzz`. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

test('every operation answers valid, invalid and strange requests of all kinds of callers as documented and shows no secret', {
  timeout: 300_000,
}, (t) => {
  const fuzz = join(import.meta.dirname, 'fuzz.ts')
  const args = [fuzz, '--requests', '3000', '--seed', '1', '--outage', '1.5', '--reach', '1', '--slow', '60']
  // In a process of its own, since it has thousands of connections and a database.
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 290_000 })
  t.diagnostic(stdout.match(/^\d+ requests in .*$/m)?.[0] ?? '')
  // The table before it has a line for each operation and caller.
  const summary = stdout.slice(Math.max(0, stdout.search(/^\d+ requests in/m)))
  // First the problems: the summary of a run of many tests has only the beginning of a failure.
  const problems = stdout.match(/^(FOUND|TOO) .*$/gm) ?? []
  assert.equal(status, 0, [...problems, summary, stderr].join('\n'))
})
