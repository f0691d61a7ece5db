import { mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { type ReadTextFileRequest, RequestError, type WriteTextFileRequest } from '@agentclientprotocol/sdk'
import { isInside } from '../roots.ts'

/** The maximum size of a file that a CLI may read in one request, in bytes. */
const largestFile = 16 * 1024 * 1024

/** The files that a CLI may access through the agent: those of its worktree, with links resolved, except git's own folder. */
export class WorktreeFiles {
  private readonly worktree: string

  /** @param worktree a resolved path */
  constructor(worktree: string) {
    this.worktree = worktree
  }

  /** `line` counts from 1. Throws RequestError. */
  async read({ path, line, limit }: ReadTextFileRequest): Promise<{ content: string }> {
    const real = await this.locate(path)
    const found = await stat(real).catch(() => undefined)
    if (!found?.isFile()) throw RequestError.resourceNotFound(path)
    if (found.size > largestFile) throw RequestError.invalidParams(undefined, `${path} is larger than 16 MiB.`)
    const content = await readFile(real, 'utf8')
    if (line == null && limit == null) return { content }
    const from = Math.max(0, (line ?? 1) - 1)
    return {
      content: content
        .split('\n')
        .slice(from, limit == null ? undefined : from + limit)
        .join('\n'),
    }
  }

  async write({ path, content }: WriteTextFileRequest): Promise<Record<string, never>> {
    const real = await this.locate(path)
    await mkdir(dirname(real), { recursive: true })
    await writeFile(real, content)
    return {}
  }

  private async locate(path: string): Promise<string> {
    if (!isAbsolute(path)) throw RequestError.invalidParams(undefined, `${path} is not an absolute path.`)
    let existing = resolve(path)
    let rest = ''
    let real = await realpath(existing).catch(() => undefined)
    while (real === undefined && existing !== dirname(existing)) {
      rest = join(basename(existing), rest)
      existing = dirname(existing)
      real = await realpath(existing).catch(() => undefined)
    }
    const place = rest === '' ? (real ?? existing) : join(real ?? existing, rest)
    const inside = isInside(this.worktree, place) && !place.slice(this.worktree.length).split('/').includes('.git')
    if (!inside) throw RequestError.invalidParams(undefined, `${path} is outside of this run’s worktree.`)
    return place
  }
}
