/**
 * `npm run demo`: the main job of Signalbox in one terminal. It starts the program with its own database, an agent in another
 * process, and a repository with two worktrees. It queues runs of mixed kinds, and shows the queue and the logs. It kills the program
 * during the runs and starts it again. At the end it shows the history of one run and its statechart. Its exit status is 0 only if every
 * promise in `promises.ts` was kept.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { plantFault } from './faults.ts'
import { brokenPromises, promises } from './promises.ts'
import { say } from './say.ts'
import { runScenario } from './scenario.ts'

const { values } = parseArgs({
  options: {
    chart: { type: 'string', default: 'signalbox-demo-run.svg' },
    /** Breaks a promise on purpose, to see that the demo notices. */
    break: { type: 'string' },
    keep: { type: 'boolean', default: false },
    /** The start may take so many times as long as promised. For a machine that does other work at the same time. */
    slack: { type: 'string', default: '1' },
  },
})

const folder = await mkdtemp(join(tmpdir(), 'signalbox-demo-'))
const begun = performance.now()
try {
  const seen = plantFault(await runScenario(folder), values.break)
  const chart = resolve(values.chart)
  await writeFile(chart, seen.chart)
  say.step(`The statechart of that run, with the transitions that it took, is in ${chart}`)
  const broken = brokenPromises({ ...seen, readyAfter: seen.readyAfter / Number(values.slack) })
  for (const { name } of promises) {
    const problem = broken.find((line) => line.startsWith(`${name}: `))
    if (problem === undefined) say.kept(name)
    else say.broken(problem)
  }
  say.step(
    `${promises.length - broken.length} of ${promises.length} promises kept in ${Math.round((performance.now() - begun) / 1000)} s`,
  )
  process.exitCode = broken.length === 0 ? 0 : 1
} catch (error) {
  say.broken(error instanceof Error ? (error.stack ?? error.message) : String(error))
  process.exitCode = 1
} finally {
  if (!values.keep) await rm(folder, { recursive: true, force: true })
}
process.exit()
