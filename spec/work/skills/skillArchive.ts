/**
 * The canonical form of a skill: one line with the list of its files as JSON, and then their bytes in the order of the list. Equal files have
 * equal bytes, so their SHA-256 identifies the content of a version, with paths and executable bits.
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

/** The maximum size of an archive: the files, and a list with the longest paths, each of whose characters may be escaped. */
export const skillArchiveBytesMax = skillBytesMax + skillFilesMax * 2_048

/** @throws RangeError if it is not an archive, or a path could lead out of its folder */
export function unpackSkill(archive: Uint8Array): SkillArchiveFile[] {
  const end = archive.indexOf(newLine)
  const entries = end < 0 ? undefined : readEntries(new TextDecoder().decode(archive.subarray(0, end)))
  if (entries === undefined) throw new RangeError('The archive of the skill has no list of files.')
  let from = end + 1
  const seen = new Set<string>()
  const files = entries.map(([path, size, executable]) => {
    const problem = describePathProblem(path)
    if (problem !== undefined)
      throw new RangeError(`The archive of the skill has the path ${JSON.stringify(path)}, which ${problem}`)
    if (seen.has(fold(path)))
      throw new RangeError(`The archive of the skill has the path ${JSON.stringify(path)} twice.`)
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
