/**
 * The program under random bytes, broken protocols, deep queries, very large and slow bodies and silent sockets, while valid
 * callers must still be answered. Exit status 0 only if nothing was found.
 * node test/longRuns/soak/soak.ts [--minutes 10] [--seed 1] [--attack 'huge frame']
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { soak } from './run.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string' },
    attack: { type: 'string' },
    'at-once': { type: 'string', default: '12' },
    rest: { type: 'string', default: '75' },
    /** For short runs: memory is checked only after minutes of attacks and a long rest. */
    'any-memory': { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const ms = Number(values.minutes) * 60_000
/** The factor by which memory may grow after the warm-up. */
const growth = 1.2

const dataDir = await mkdtemp(join(tmpdir(), 'signalbox-soak-'))
console.log(`seed ${seed}`)
const result = await soak({
  dataDir,
  seed,
  warmupMs: ms / 4,
  attackMs: ms,
  restMs: Number(values.rest) * 1_000,
  atOnce: Number(values['at-once']),
  only: values.attack,
  say: (line) => console.log(line),
})
await rm(dataDir, { recursive: true, force: true })
for (const { what, attack, seed: own, request } of result.findings) {
  console.log(`FOUND ${what} (attack "${attack}", seed ${own})\n  ${request}`)
}
for (const [name, count] of [...result.rounds].sort()) console.log(`${String(count).padStart(7)} rounds: ${name}`)
const { answers, p50, p99, stored, followed, failures } = result.load
console.log(
  `valid load: ${answers} answers, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; ${followed} of ${stored} chunks followed`,
)
for (const failure of failures.slice(0, 20)) console.log(`FOUND valid load: ${failure}`)
console.log(
  `memory: ${result.residentRatio.toFixed(2)} × resident, ${result.heldRatio.toFixed(2)} × held by V8 (at most ${growth})`,
)
for (const [name, before, after] of result.gauges) console.log(`FOUND ${name} was ${before} and is ${after}`)
const sound =
  result.findings.length === 0 &&
  failures.length === 0 &&
  result.gauges.length === 0 &&
  answers > 50 &&
  followed > 0 &&
  (values['any-memory'] || result.residentRatio <= growth)
console.log(sound ? 'nothing was found' : `something was found. Repeat this run with --seed ${seed}`)
process.exit(sound ? 0 : 1)
