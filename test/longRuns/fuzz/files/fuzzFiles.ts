/**
 * Makes files for the readers of debug symbols and crash reports, and reads them. Exit status 0 only if nothing was found.
 * node test/longRuns/fuzz/files/fuzzFiles.ts [--minutes 60] [--inputs 10000] [--seed 1] [--only zip,macho,…] [--folder FOLDER] [--replay FILE]
 */
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { fuzzFiles } from './fileFuzz.ts'
import { figureLines, megabytes } from './fileReport.ts'
import { fuzzedReaders } from './readers/readers.ts'
import { replay } from './replay.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    /** Files of each reader. Without it, only the time ends the run. */
    inputs: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
    /** The folder for files that show a fault. */
    folder: { type: 'string', default: join(tmpdir(), 'signalbox-fuzz-files') },
    /** A file that showed a fault. The first word of its name, or `--only`, is its reader. */
    replay: { type: 'string' },
  },
})
const module = new URL('./readers/readers.ts', import.meta.url).href
const names = values.only?.split(',') ?? (values.replay && [basename(values.replay).split('-', 1)[0] ?? ''])
const readers = fuzzedReaders.filter(({ name }) => !names || names.includes(name))
const unknown = names ? names.filter((name) => !readers.some((reader) => reader.name === name)) : []
if (unknown.length > 0) {
  console.error(
    `There is no reader ${unknown.join(', ')}. There are ${fuzzedReaders.map(({ name }) => name).join(', ')}.`,
  )
  process.exit(2)
}

process.exitCode = (await (values.replay === undefined ? run() : replayFile(values.replay))) ? 0 : 1

async function run(): Promise<boolean> {
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  console.log(`seed ${seed}; ${readers.map(({ name }) => name).join(', ')}`)
  const { runs, findings, rss } = await fuzzFiles({
    module,
    readers,
    seed,
    forMs: Number(values.minutes) * 60_000,
    ...(values.inputs === undefined ? {} : { inputs: Number(values.inputs) }),
    folder: values.folder,
    reportEachMs: 60_000,
    report: (line) => console.log(line),
  })
  console.log('end of the run')
  for (const line of figureLines(runs)) console.log(line)
  console.log(
    `memory of the process: ${megabytes(rss.early)} MB after a tenth of the time, ${megabytes(rss.late)} MB at the end, at most ${megabytes(rss.most)} MB`,
  )
  for (const { reader, fault, input, path, times } of findings.all)
    console.log(
      `FOUND ${reader}, input ${input}: ${fault.split('\n', 1)[0]}${times > 1 ? ` (${times} times)` : ''}\n  ${path}`,
    )
  const isSound = findings.all.length === 0
  console.log(isSound ? 'nothing was found' : `something was found. Repeat this run with --seed ${seed}`)
  return isSound
}

async function replayFile(path: string): Promise<boolean> {
  const [reader] = readers
  if (reader === undefined) return false
  const { digest, faults } = await replay({ module, reader, file: readFileSync(path) })
  console.log(digest)
  for (const fault of faults) console.log(`FOUND ${reader.name}: ${fault}`)
  return faults.length === 0
}
