/** Writes zips of bundles, and reads them with the programs of others. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { readBundle } from '../../../../clients/dsym/find/readBundle.ts'
import { DeflateWorkers } from '../../../../clients/dsym/zip/deflateWorkers.ts'
import { type PlannedZip, planZips } from '../../../../clients/dsym/zip/planZips.ts'
import { writeZip } from '../../../../clients/dsym/zip/writeZip.ts'

export async function planBundles(paths: readonly string[]): Promise<readonly PlannedZip[]> {
  const bundles = []
  for (const path of paths) {
    const bundle = await readBundle(path, () => {})
    if (bundle !== undefined) bundles.push(bundle)
  }
  return planZips(bundles)
}

/** @returns the path of the zip */
export async function zipInto(folder: string, plan: PlannedZip, threads = 2): Promise<string> {
  const path = join(folder, plan.filename)
  const workers = new DeflateWorkers(threads)
  try {
    await writeZip(plan, path, { workers, signal: new AbortController().signal })
  } finally {
    await workers.end()
  }
  return path
}

/** The names and sizes that Python's `zipfile` reads, after it has compared the checksum of each file. */
export function readWithPython(zip: string): readonly (readonly [name: string, size: number])[] {
  const program = [
    'import json, sys, zipfile',
    'z = zipfile.ZipFile(sys.argv[1])',
    'assert z.testzip() is None',
    'print(json.dumps([[i.filename, i.file_size] for i in z.infolist()]))',
  ].join('\n')
  return JSON.parse(execFileSync('python3', ['-c', program, zip], { encoding: 'utf8', maxBuffer: 2 ** 28 }))
}
