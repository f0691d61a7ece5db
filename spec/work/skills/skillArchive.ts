/**
 * The canonical form of a skill: one line with the list of its files as JSON, and then their bytes in the order of the list. The same files
 * always give the same archive. So the SHA-256 of the archive identifies the content of a version, including paths and executable bits.
 */
import { skillBytesMax, skillFilesMax } from './skillLimits.ts'
import { describePathProblem, fold } from './skillPath.ts'

export interface SkillArchiveFile {
  readonly path: string
  readonly executable: boolean
  readonly bytes: Uint8Array
}

/** The path, the number of bytes, and 1 if it is executable. */
type Entry = readonly [path: string, size: number, executable: 0 | 1]

const newLine = 10

export function packSkill(files: readonly SkillArchiveFile[]): Uint8Array {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  const entries = sorted.map(({ path, bytes, executable }): Entry => [path, bytes.length, executable ? 1 : 0])
  const head = new TextEncoder().encode(`${JSON.stringify(entries)}\n`)
  const archive = new Uint8Array(head.length + sorted.reduce((sum, { bytes }) => sum + bytes.length, 0))
  archive.set(head)
  let end = head.length
  for (const { bytes } of sorted) {
    archive.set(bytes, end)
    end += bytes.length
  }
  return archive
}

/** The maximum size of an archive: the files, and 2,048 bytes for each entry of the list, enough for the longest path with every character escaped. */
export const skillArchiveBytesMax = skillBytesMax + skillFilesMax * 2_048

/** @throws RangeError if it is not an archive, or if a path is not allowed (`describePathProblem`) or occurs twice */
export function unpackSkill(archive: Uint8Array): SkillArchiveFile[] {
  const end = archive.indexOf(newLine)
  const entries = end < 0 ? undefined : readEntries(new TextDecoder().decode(archive.subarray(0, end)))
  if (entries === undefined)
    throw new RangeError(`The archive of the skill does not begin with a valid list of at most ${skillFilesMax} files.`)
  let from = end + 1
  const seen = new Set<string>()
  const files = entries.map(([path, size, executable]) => {
    const problem = describePathProblem(path)
    if (problem !== undefined)
      throw new RangeError(`The archive of the skill has the path ${JSON.stringify(path)}, which ${problem}`)
    if (seen.has(fold(path)))
      throw new RangeError(
        `The archive of the skill has the path ${JSON.stringify(path)} twice, or in two spellings that are the same file on some file systems.`,
      )
    seen.add(fold(path))
    const bytes = archive.subarray(from, from + size)
    from += size
    return { path, executable: executable === 1, bytes }
  })
  if (from !== archive.length)
    throw new RangeError('The archive of the skill does not have the size that its list states.')
  return files
}

function readEntries(text: string): readonly Entry[] | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  return Array.isArray(value) && value.length <= skillFilesMax && value.every(isEntry) ? value : undefined
}

function isEntry(value: unknown): value is Entry {
  if (!Array.isArray(value) || value.length !== 3) return false
  const [path, size, executable] = value as readonly unknown[]
  return (
    typeof path === 'string' &&
    Number.isSafeInteger(size) &&
    Number(size) >= 0 &&
    (executable === 0 || executable === 1)
  )
}
