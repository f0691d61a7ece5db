/**
 * Compares the durable transitions of this checkout with those of another one: `npm run bench:compare -- --with ../before`. They
 * measure alternately, a second each, since the speed of a machine changes. The packages of the other checkout must be installed.
 * Fails if the median of the rounds' ratios is lower than `--percent` allows. The range of half of the rounds shows how much of
 * the difference may be chance.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbedded } from '../../../storage/embedded/embedded.ts'
import { connect } from '../../../storage/sql/sql.ts'
import type { Measure, Measured } from './support/compared.ts'
import { printMachine, printTable } from './support/report.ts'

const { values } = parseArgs({
  options: {
    with: { type: 'string' },
    rounds: { type: 'string', default: '24' },
    seconds: { type: 'string', default: '1' },
    percent: { type: 'string', default: '3' },
  },
})
if (values.with === undefined) throw new Error('Name the folder of the other checkout: --with FOLDER')
const forMs = Number(values.seconds) * 1_000
const measures: readonly Measure[] = [
  ...[1, 64, 1_024].map((inFlight) => ({ what: 'steps', inFlight, forMs }) as const),
  // An answer takes half a second.
  { what: 'steps', inFlight: 8_192, forMs: 3 * forMs },
  { what: 'new' },
  { what: 'cold' },
]

printMachine()
const dataDir = await mkdtemp(join(tmpdir(), 'signalbox-bench-'))
const { connection, stop } = await startEmbedded({ dataDir, log: () => {} })
const processes: ChildProcess[] = []
try {
  const here = await start(join(import.meta.dirname, '../../..'), 'here')
  const other = await start(values.with, 'other')
  const rows = []
  for (const measure of measures) rows.push(await compare(measure, here, other))
  printTable(rows.map(({ tooSlow: _, ...row }) => row))
  for (const { what, tooSlow } of rows) if (tooSlow) console.error(`${what}: slower by more than ${values.percent} %.`)
  if (rows.some(({ tooSlow }) => tooSlow)) process.exitCode = 1
} finally {
  for (const child of processes) if (child.connected) child.disconnect()
  await Promise.all(processes.map((child) => child.exitCode ?? once(child, 'exit')))
  await stop()
  await rm(dataDir, { recursive: true, force: true })
}

/** In each round both measure once, and the order alternates. */
async function compare(measure: Measure, here: ChildProcess, other: ChildProcess) {
  const rounds: { here: Measured; other: Measured }[] = []
  for (let round = 0; round < Number(values.rounds); round++) {
    const first = round % 2 === 0
    const one = await take(first ? here : other, measure)
    const two = await take(first ? other : here, measure)
    rounds.push(first ? { here: one, other: two } : { here: two, other: one })
  }
  const rate = quartiles(rounds.map((round) => round.here.perSecond / round.other.perSecond))
  const cpu = quartiles(rounds.map((round) => round.here.cpuMicros / round.other.cpuMicros))
  return {
    what:
      measure.what === 'steps'
        ? `transitions, ${measure.inFlight.toLocaleString('en')} in flight`
        : `${measure.what} actors`,
    'per second': quartiles(rounds.map((round) => round.here.perSecond))[1],
    'other’s': quartiles(rounds.map((round) => round.other.perSecond))[1],
    ratio: rate[1],
    'half of rounds': `${rate[0].toFixed(2)}–${rate[2].toFixed(2)}`,
    'µs CPU': quartiles(rounds.map((round) => round.here.cpuMicros))[1],
    'ratio of CPU': cpu[1],
    'half of rounds ': `${cpu[0].toFixed(2)}–${cpu[2].toFixed(2)}`,
    tooSlow: rate[1] < 1 - Number(values.percent) / 100,
  }
}

function quartiles(all: readonly number[]): [number, number, number] {
  const sorted = all.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
  return [at(0.25), at(0.5), at(0.75)]
}

async function take(child: ChildProcess, measure: Measure): Promise<Measured> {
  child.send(measure)
  const [measured] = await once(child, 'message')
  return measured as Measured
}

async function start(folder: string, database: string): Promise<ChildProcess> {
  const sql = connect({ connection }, { name: 'bench', max: 1, settings: {} })
  await sql.unsafe(`create database ${database} template template0`)
  await sql.end()
  const target = JSON.stringify({ connection: { ...connection, database } })
  const child = fork(join(import.meta.dirname, 'support/compared.ts'), [folder, target], {
    execArgv: ['--max-semi-space-size=64', '--disable-warning=ExperimentalWarning'],
  })
  processes.push(child)
  await once(child, 'message')
  return child
}
