/** Parses a unified diff to the lines of each file, for one column or for two. */
import { parsePatch, type StructuredPatchHunk } from 'diff'

export interface ChangedLine {
  readonly type: 'SAME' | 'REMOVED' | 'ADDED'
  readonly text: string
  /** The number of the line before the change. Undefined for an added line. */
  readonly before: number | undefined
  readonly after: number | undefined
}

export interface Hunk {
  /** As in the diff: `@@ -1,3 +1,4 @@`. */
  readonly heading: string
  readonly lines: readonly ChangedLine[]
}

/** A row of two columns. */
export interface LinePair {
  readonly before: ChangedLine | undefined
  readonly after: ChangedLine | undefined
}

/** @returns the hunks by the path of the file, after a rename the new one */
export function parseChanges(diff: string): ReadonlyMap<string, readonly Hunk[]> {
  return new Map(
    parsePatch(diff).map(({ oldFileName = '', newFileName = '', hunks }) => [
      stripPrefix(newFileName === '/dev/null' ? oldFileName : newFileName),
      hunks.map(toHunk),
    ]),
  )
}

/** Git writes `a/` and `b/` before the paths, and quotes unusual characters. */
function stripPrefix(name: string): string {
  return name.replace(/^[ab]\//, '')
}

function toHunk({ oldStart, oldLines, newStart, newLines, lines }: StructuredPatchHunk): Hunk {
  let [before, after] = [oldStart, newStart]
  const toLine = (line: string): ChangedLine => {
    const text = line.slice(1)
    if (line.startsWith('-')) return { type: 'REMOVED', text, before: before++, after: undefined }
    if (line.startsWith('+')) return { type: 'ADDED', text, before: undefined, after: after++ }
    return { type: 'SAME', text, before: before++, after: after++ }
  }
  return {
    heading: `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    // The note that a file has no line feed at its end is not a line of the file.
    lines: lines.filter((line) => !line.startsWith('\\')).map(toLine),
  }
}

/** Puts removed lines beside the added ones that follow them. */
export function pairLines(lines: readonly ChangedLine[]): readonly LinePair[] {
  const pairs: LinePair[] = []
  let removed: ChangedLine[] = []
  let added: ChangedLine[] = []
  const flush = () => {
    for (let index = 0; index < Math.max(removed.length, added.length); index++)
      pairs.push({ before: removed[index], after: added[index] })
    removed = []
    added = []
  }
  for (const line of lines) {
    if (line.type === 'ADDED') added.push(line)
    else if (line.type === 'REMOVED') {
      if (added.length > 0) flush()
      removed.push(line)
    } else {
      flush()
      pairs.push({ before: line, after: line })
    }
  }
  flush()
  return pairs
}
