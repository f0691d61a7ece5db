/** The lines of `dsym_paths`. */
import { homedir } from 'node:os'
import { join } from 'node:path'

export interface PathLines {
  /** Paths and globs that are uploaded. */
  readonly included: readonly string[]
  /** Paths and globs of lines that begin with `!`, without the `!`. */
  readonly excluded: readonly string[]
}

/** The order of lines does not matter: an exclusion applies to the lines above and below it. */
export function parsePathLines(text: string, home = homedir()): PathLines {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const isExclusion = (line: string) => line.startsWith('!')
  return {
    included: lines.filter((line) => !isExclusion(line)).map((line) => expandHome(line, home)),
    excluded: lines
      .filter(isExclusion)
      .map((line) => expandHome(line.slice(1).trim(), home))
      .filter((line) => line !== ''),
  }
}

/** The input of a step passes no shell that would do this. */
function expandHome(line: string, home: string): string {
  return line === '~' || line.startsWith('~/') ? join(home, line.slice(1)) : line
}
