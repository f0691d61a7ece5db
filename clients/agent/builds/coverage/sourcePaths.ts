/** Finds the path in the checkout of a file that a report names. */
import { statSync } from 'node:fs'
import { isAbsolute, join, posix } from 'node:path'

const pathMax = 1_000

export class SourcePaths {
  /** How many names of files are not in the checkout, and one of them. */
  outsideCount = 0
  outsideExample: string | undefined
  readonly #roots: readonly string[]
  readonly #folders: readonly string[]

  /**
   * @param roots the folder of the checkout, and its resolved path
   * @param report the path of the report in the checkout. A report of a package often has paths relative to the folder of the package
   */
  constructor(roots: readonly string[], report: string) {
    this.#roots = roots
    const folders = report.split('/').slice(0, -1)
    this.#folders = ['', ...folders.map((_, index) => folders.slice(0, folders.length - index).join('/'))]
  }

  /**
   * @param bases folders from which the name counts, as a report may have them
   * @returns undefined if the file is not in the checkout
   */
  find(name: string, bases: readonly string[] = []): string | undefined {
    const candidates = bases
      .map((base) => posix.join(base, name))
      .concat(name)
      .flatMap((path) => this.#candidates(path))
    const found = candidates.find((path) => this.#exists(path)) ?? candidates[0]
    if (found !== undefined && found.length <= pathMax) return found
    this.outsideCount += 1
    this.outsideExample ??= name
    return undefined
  }

  /** Paths in the checkout, the most probable first. */
  #candidates(path: string): readonly string[] {
    if (path.includes('\0')) return []
    const relative = isAbsolute(path)
      ? this.#roots.filter((root) => path.startsWith(`${root}/`)).map((root) => path.slice(root.length + 1))
      : this.#folders.map((folder) => posix.join(folder, path))
    return relative.map((one) => posix.normalize(one)).filter(isBelow)
  }

  #exists(path: string): boolean {
    return statSync(join(this.#roots[0] ?? '', path), { throwIfNoEntry: false })?.isFile() ?? false
  }
}

function isBelow(path: string): boolean {
  return (
    !path.startsWith('/') && !path.endsWith('/') && path.split('/').every((part) => !['', '.', '..'].includes(part))
  )
}
