/**
 * Compares two processes that write the same actor with one process. First, one hot actor with many senders on each process; then
 * a large collection that both processes change alternately. Fails if two processes are slower than the aims allow.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbedded } from '../../../storage/embedded/embedded.ts'
import { alternate, type ContendedProcess, hotActor, openContended } from './support/contended.ts'
import { printMachine, printTable } from './support/report.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '6' },
    senders: { type: 'string', default: '32' },
    rows: { type: 'string', default: '10000' },
    steps: { type: 'string', default: '300' },
  },
})
const aims = { p99: 500, step: 10 }

printMachine()
const dataDir = await mkdtemp(join(tmpdir(), 'signalbox-bench-'))
const { connection, stop } = await startEmbedded({ dataDir, log: () => {} })
const processes: ContendedProcess[] = []
try {
  for (let count = 0; count < 2; count++) processes.push(await openContended({ connection }, randomUUID()))
  const [one, two] = processes as [ContendedProcess, ContendedProcess]
  const load = { senders: Number(values.senders), forMs: Number(values.seconds) * 1_000 }
  const alone = await hotActor([one], { ...load, senders: load.senders * 2 })
  const both = await hotActor([one, two], load)
  const rows = [
    { what: 'hot actor, one process', ...alone },
    { what: 'hot actor, two processes', ...both },
  ]
  printTable(
    rows.map(({ what, perSecond, p50, p99 }) => ({ what, 'per second': perSecond, 'p50 ms': p50, 'p99 ms': p99 })),
  )
  const collection = { rows: Number(values.rows), steps: Number(values.steps) }
  const single = await alternate([one], collection)
  const inTurn = await alternate([one, two], collection)
  printTable([
    { what: `${collection.rows} rows, one process`, 'ms a transition': single },
    { what: `${collection.rows} rows, two processes alternately`, 'ms a transition': inTurn },
  ])
  if (both.p99 > aims.p99) fail(`The p99 with two processes is ${both.p99.toFixed(0)} ms, and ${aims.p99} are allowed.`)
  if (inTurn > aims.step)
    fail(`A transition of alternating processes takes ${inTurn.toFixed(1)} ms, and ${aims.step} are allowed.`)
} finally {
  for (const { close } of processes) await close()
  await stop()
  await rm(dataDir, { recursive: true, force: true })
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}
