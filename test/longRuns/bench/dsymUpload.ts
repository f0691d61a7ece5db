/**
 * An upload of dSYMs by the client, by its parts, beside curl, which sends the same zip in the same chunks to the same server. Fails below 0.9
 * times the rate of curl while the zip is sent.
 * node test/longRuns/bench/dsymUpload.ts [--megabytes 300] [--functions 10000] [--rounds 3] [--profile FOLDER]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { quantile } from './codingCli/quantile.ts'
import { printMachine, printTable } from './support/report.ts'
import { compileImage } from './symbolication/compileImage.ts'
import { measureDsymUpload, type UploadParts } from './symbolication/measureDsymUpload.ts'

const { values } = parseArgs({
  options: {
    /** Of all dSYMs, before compression. A zip has at most 500 of them. */
    megabytes: { type: 'string', default: '300' },
    /** Of each dSYM. */
    functions: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3' },
    /** A folder for a profile of the server's processor time. */
    profile: { type: 'string' },
  },
})
const leastRatio = 0.9

printMachine()
const folder = mkdtempSync(join(tmpdir(), 'dsym-upload-bench-'))
try {
  const compiled = await compileImage(folder, Number(values.functions))
  const { bundleBytes, zipBytes, client, curl } = await measureDsymUpload({
    compiled,
    bundles: Math.ceil((Number(values.megabytes) * 1e6) / compiled.symbols.length),
    rounds: Number(values.rounds),
    profile: values.profile,
    print: (line) => console.log(line),
  })
  console.log(`${(bundleBytes / 1e6).toFixed(0)} MB of dSYMs, a zip of ${(zipBytes / 1e6).toFixed(0)} MB`)
  const row = (what: string, part: keyof UploadParts, bytes: number) => {
    const [own, other] = [medianOf(client, part), medianOf(curl, part)]
    return {
      what,
      'client, s': own ?? '',
      'MB/s': own === undefined ? '' : bytes / 1e6 / own,
      'curl, s': other ?? '',
      'MB/s of curl': other === undefined ? '' : bytes / 1e6 / other,
      ratio: own === undefined || other === undefined ? '' : other / own,
    }
  }
  printTable([
    row('zip the dSYMs', 'zip', bundleBytes),
    row('hash the zip', 'hash', zipBytes),
    row('send the zip', 'send', zipBytes),
    row('wait for the index', 'index', bundleBytes),
    row('whole program', 'whole', zipBytes),
  ])
  const ratio = (medianOf(curl, 'send') ?? Number.NaN) / (medianOf(client, 'send') ?? Number.NaN)
  console.log(`The client sends at ${ratio.toFixed(2)} times the rate of curl; at least ${leastRatio} is wanted`)
  if (!(ratio >= leastRatio)) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function medianOf(turns: readonly UploadParts[], part: keyof UploadParts): number | undefined {
  const seconds = turns.flatMap((turn) => turn[part] ?? [])
  return seconds.length === 0 ? undefined : quantile(seconds, 0.5)
}
