/** The patches of many files, of which only as many are kept as fit. */
import { type Difference, diffOptions } from './changedFiles.ts'
import type { QuietGit } from './quietGit.ts'

export interface PatchOptions {
  isWanted(difference: Difference): boolean
  /** The maximum size of all patches together. */
  readonly bytes: number
}

const begin = Buffer.from('diff --git ')
/** A line that git prints for a conflict. It belongs to no patch. */
const unmerged = Buffer.from('* Unmerged path ')
const lineBreak = 10

/**
 * Returns the patch of each difference, in their order, or undefined for one that is not wanted or does not fit beside those before it.
 * Returns undefined if the worktree has changed meanwhile. One patch and one part of the output are in memory at a time.
 */
export async function readPatches(
  git: QuietGit,
  since: string,
  differences: readonly Difference[],
  { isWanted, bytes }: PatchOptions,
): Promise<readonly (Buffer | undefined)[] | undefined> {
  // One entry for each patch that git prints.
  const expected = differences.flatMap((difference) => Array<Difference>(difference.patches).fill(difference))
  const kept = new Map(differences.filter(isWanted).map((difference) => [difference, [] as Buffer[]]))
  let left = bytes
  let at = -1
  const args = [...diffOptions, '--patch', '-U3', '--inter-hunk-context=0', '--src-prefix=a/', '--dst-prefix=b/']
  for await (const line of splitLines(git.stream([...args, since, '--']), bytes)) {
    // Lines of content begin with a space, a sign or a backslash, and names with line breaks are quoted. So this is a new patch.
    if (startsWith(line, begin)) at += 1
    // More files have changed than are listed.
    if (at >= expected.length) break
    const difference = expected[at]
    const lines = difference && kept.get(difference)
    if (difference === undefined || lines === undefined || startsWith(line, unmerged)) continue
    left -= line.length
    lines.push(line)
    if (left >= 0) continue
    for (const part of lines) left += part.length
    kept.delete(difference)
  }
  if (at < expected.length - 1) return undefined
  return differences.map((difference) => {
    const lines = kept.get(difference)
    return lines && Buffer.concat(lines)
  })
}

function startsWith(line: Buffer, words: Buffer): boolean {
  return line.subarray(0, words.length).equals(words)
}

/** Yields the lines with their line breaks. Of a line that is longer than `longest` bytes, it yields one byte more than that. */
async function* splitLines(output: AsyncIterable<Buffer>, longest: number): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let size = 0
  const add = (part: Buffer) => {
    parts.push(part.subarray(0, longest + 1 - size))
    size = Math.min(longest + 1, size + part.length)
  }
  for await (const data of output) {
    let from = 0
    for (let to = data.indexOf(lineBreak); to !== -1; to = data.indexOf(lineBreak, from)) {
      add(data.subarray(from, to + 1))
      yield Buffer.concat(parts)
      parts = []
      size = 0
      from = to + 1
    }
    if (from < data.length) add(data.subarray(from))
  }
  if (size > 0) yield Buffer.concat(parts)
}
