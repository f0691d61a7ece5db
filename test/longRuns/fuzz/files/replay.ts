/** Reads a file that showed a fault. */
import { FileFindings } from './fileFindings.ts'
import type { FuzzedReader } from './fuzzedReader.ts'
import { defaultBounds, ReaderRun, type RunBounds } from './readerRun.ts'

export interface Replay {
  /** The URL of the module with `fuzzedReaders`. */
  readonly module: string
  readonly reader: FuzzedReader
  readonly file: Buffer
  readonly bounds?: Partial<RunBounds> | undefined
}

/** @returns its result or its error, and its faults */
export async function replay({
  module,
  reader,
  file,
  bounds,
}: Replay): Promise<{ digest: string; faults: readonly string[] }> {
  const findings = new FileFindings(undefined)
  const run = new ReaderRun(reader, {
    module,
    seed: 0,
    bounds: { ...defaultBounds, ...bounds },
    findings,
    report: () => {},
  })
  try {
    const digest = await run.replay(file)
    return { digest, faults: findings.all.map(({ fault }) => fault) }
  } finally {
    await run.close()
  }
}
