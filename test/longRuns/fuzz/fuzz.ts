/**
 * Sends all kinds of requests to the program, as all kinds of callers: valid, invalid and strange ones. Exit status 0 only if
 * nothing was found.
 * node test/longRuns/fuzz/fuzz.ts [--requests 140000] [--seed 1] [--at-once 24] [--outage 5] [--slow 5] [--reach 100]
 */
import { parseArgs } from 'node:util'
import { objectTypes, operations } from '../../../gateway/operations/operations.ts'
import { restRoutes } from '../../../spec/rest/routes.ts'
import { startFuzzed } from './program.ts'
import { raisedLimits } from './raised.ts'
import { report } from './report.ts'
import { run } from './run.ts'
import { sizeOf } from './size.ts'
import { cellsOf } from './steer.ts'
import { subjectOf } from './subject.ts'

const { values } = parseArgs({
  options: {
    /** As many as `--reach` needs, if omitted. */
    requests: { type: 'string' },
    seed: { type: 'string' },
    'at-once': { type: 'string', default: '24' },
    /** Seconds. */
    outage: { type: 'string', default: '5' },
    /** The most seconds of an answer. Use more if the machine has other load. */
    slow: { type: 'string', default: '5' },
    /** How often each operation's handler must be reached as each kind of caller with access. If omitted: 100, or what `--requests` allow. */
    reach: { type: 'string' },
    /** The share of requests that must reach a handler. */
    valid: { type: 'string', default: '0.3' },
  },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000)
console.log(`seed ${seed}; limits that are raised for the fuzzer: ${raisedLimits.join(', ')}`)

const subject = subjectOf({ operations, objectTypes, routes: restRoutes })
const size = sizeOf(cellsOf(subject.targets).length, values)
console.log(
  `${size.requests} requests; each handler must be reached ${size.reach} times as each kind of caller with access`,
)

const result = await run({
  subject,
  start: startFuzzed,
  requests: size.requests,
  seed,
  atOnce: Number(values['at-once']),
  slowestMs: Number(values.slow) * 1_000,
  outageMs: Number(values.outage) * 1_000,
  say: (line) => console.log(line),
})
for (const line of report(result)) console.log(line)
// The token of a run ends with the run, so whether a short fuzz has a valid one is chance.
const seldom = result.cells.filter(({ kind, reached }) => kind !== 'run' && reached < size.reach)
for (const { target, kind, reached } of seldom) console.log(`TOO SELDOM ${target.name} as ${kind}: ${reached} times`)
for (const { target, kind, reached } of result.cells.filter((cell) => cell.succeeded === 0))
  console.log(`never granted: ${target.name} as ${kind}, ${reached} times handled`)
const share = result.valid / result.requests
if (share < Number(values.valid)) console.log(`TOO FEW reached a handler: ${share.toFixed(3)} of all`)
const sound = !result.findings.some && seldom.length === 0 && share >= Number(values.valid)
console.log(sound ? 'nothing was found' : `something was found. Repeat this run with --seed ${seed}`)
// The exit waits until the output is written. Otherwise it drops the lines that a busy reader has not taken yet.
process.stdout.write('', () => process.exit(sound ? 0 : 1))
