/**
 * The time that Signalbox adds to the run of a coding CLI: from the request for a run to the first text of the CLI at a client, and how many
 * runs a machine executes in a minute. The same CLI, started directly, alternates with it.
 * node test/longRuns/bench/runs.ts [--runs 20] [--worktrees 50] [--cli qwen] [--at-once 50]
 */
import { parseArgs } from 'node:util'
import { claude, gemini, qwen } from '../../stockClis/clis.ts'
import { measureRuns } from './codingCli/measureRuns.ts'
import { quantile } from './codingCli/quantile.ts'
import { printMachine, printTable } from './support/report.ts'

const clis = { qwen, claude, gemini }
/** The added milliseconds at p50 that are aimed at. */
const aim = 250

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '20' },
    worktrees: { type: 'string', default: '50' },
    cli: { type: 'string', default: 'qwen' },
    /** Runs at the same time while runs per minute are measured. If omitted, one on each worktree. */
    'at-once': { type: 'string' },
  },
})
const cli = Object.entries(clis).find(([name]) => name === values.cli)?.[1]
if (cli === undefined) throw new Error(`--cli: there is no ${values.cli}. Use one of ${Object.keys(clis).join(', ')}.`)
const runs = readCount('runs', values.runs, 1_000)
const worktrees = readCount('worktrees', values.worktrees, 50)
const atOnce = readCount('at-once', values['at-once'] ?? String(worktrees), 50)

printMachine()
const found = await measureRuns({ cli, runs, worktrees, atOnce, report: (line) => console.log(line) })
const row = (what: string, times: readonly number[]) => ({
  what,
  p50: quantile(times, 0.5),
  p99: quantile(times, 0.99),
})
console.log(`\n${cli.name}, ${runs} runs one after the other, in ms`)
const product = found.product.map(({ total }) => total)
const direct = found.direct.map(({ total }) => total)
const added = quantile(product, 0.5) - quantile(direct, 0.5)
printTable([
  row('request until the first text, with Signalbox', product),
  row('start until the first text, directly', direct),
])
console.log(`added at p50: ${added.toFixed(0)} ms (aim: ${aim})\n`)
for (const [name, ways] of Object.entries({ 'with Signalbox': found.product, directly: found.direct })) {
  const phases = Object.keys(ways[0]?.phases ?? {})
  console.log(name)
  printTable(
    phases.map((phase) =>
      row(
        phase,
        ways.map((way) => way.phases[phase] ?? Number.NaN),
      ),
    ),
  )
}
console.log(`\n${worktrees} worktrees, ${atOnce} runs at the same time`)
printTable([
  { what: 'with Signalbox', 'runs a minute': found.productPerMinute },
  { what: 'directly', 'runs a minute': found.directPerMinute },
])
process.exit(0)

function readCount(name: string, text: string, most: number): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= most) return count
  throw new Error(`--${name}: must be a whole number from 1 to ${most}, not ${text}.`)
}
