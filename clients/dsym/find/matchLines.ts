/** The paths that the lines of `dsym_paths` match. */
import { resolve } from 'node:path'
import { compareBytes } from './compareBytes.ts'
import { exists, expandGlob } from './expandGlob.ts'
import type { PathLines } from './pathLines.ts'

export interface MatchedPaths {
  /** Absolute, each once, in the order of their bytes. */
  readonly paths: readonly string[]
  /** Lines that match no path. Those of exclusions begin with `!`. */
  readonly unmatched: readonly string[]
}

/** An exclusion removes the matched path that it equals. It does not reach into a matched folder. */
export async function matchLines({ included, excluded }: PathLines, folder: string): Promise<MatchedPaths> {
  const paths = new Set<string>()
  const unmatched: string[] = []
  for (const line of included) {
    const found = await matchLine(line, folder)
    if (found.length === 0) unmatched.push(line)
    for (const path of found) paths.add(path)
  }
  for (const line of excluded) {
    const removed = (await matchLine(line, folder)).map((path) => paths.delete(path))
    if (!removed.includes(true)) unmatched.push(`!${line}`)
  }
  return { paths: [...paths].sort(compareBytes), unmatched }
}

/** A path that exists is not read as a glob: a folder may be called `[Release]`. */
async function matchLine(line: string, folder: string): Promise<readonly string[]> {
  const path = resolve(folder, line)
  return (await exists(path)) ? [path] : expandGlob(line, folder)
}
