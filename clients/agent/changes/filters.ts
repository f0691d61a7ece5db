/** Files that git converts by a program, of which Git LFS is the most common. The programs are not started. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Difference } from './changedFiles.ts'
import type { QuietGit } from './quietGit.ts'
import { splitAtZeros } from './zeroSeparated.ts'

/** Returns the names of the files' filters, by path in latin1. A file without a filter is not in it. */
export async function readFilters(git: QuietGit, differences: readonly Difference[]): Promise<Map<string, string>> {
  const input = Buffer.concat(differences.flatMap(({ path }) => [path, Buffer.of(0)]))
  const filters = new Map<string, string>()
  const parts: string[] = []
  for await (const part of splitAtZeros(git.stream(['check-attr', '-z', '--stdin', 'filter'], input))) {
    parts.push(part.toString('latin1'))
    if (parts.length < 3) continue
    const [path = '', , value = ''] = parts.splice(0)
    if (!['unspecified', 'unset', 'set', ''].includes(value)) filters.set(path, value)
  }
  return filters
}

/** The pointers of Git LFS are shorter. In bytes. */
const pointerMax = 1_024

/**
 * Whether the file in the worktree is the one to which the stored pointer leads. Git reports such a file as changed if it was touched,
 * because the filter is not started.
 */
export async function isSameLfsFile(git: QuietGit, { path, oldId, newId }: Difference): Promise<boolean> {
  if (newId !== undefined) return false
  const pointer = await readPointer(git, oldId)
  const file = Buffer.concat([Buffer.from(join(git.worktree, '/')), path])
  const about = pointer && (await lstat(file).catch(() => undefined))
  if (!pointer || !about?.isFile() || about.size !== pointer.size) return false
  const hash = createHash('sha256')
  for await (const data of createReadStream(file)) hash.update(data as Buffer)
  return hash.digest('hex') === pointer.sha256
}

async function readPointer(git: QuietGit, id: string): Promise<{ size: number; sha256: string } | undefined> {
  let text = ''
  try {
    for await (const data of git.stream(['cat-file', 'blob', id])) {
      text += data.toString('latin1')
      if (text.length > pointerMax) return undefined
    }
  } catch {
    // The file is new.
    return undefined
  }
  if (!text.startsWith('version https://git-lfs.github.com/spec/v1\n')) return undefined
  const sha256 = /^oid sha256:([0-9a-f]{64})$/m.exec(text)?.[1]
  const size = /^size (\d+)$/m.exec(text)?.[1]
  return sha256 && size ? { size: Number(size), sha256 } : undefined
}
