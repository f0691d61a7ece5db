/** Which bundle is in which zip, and under which names. */
import { basename } from 'node:path'
import type { Bundle, BundleFile } from '../find/readBundle.ts'

export interface PlannedFile extends BundleFile {
  /** The path in the zip. */
  readonly zippedName: string
}

export interface PlannedZip {
  /** `dSYMs.zip`, `dSYMs-2.zip` and so on. */
  readonly filename: string
  readonly bundles: number
  readonly files: readonly PlannedFile[]
  /** The bytes of all files before compression. */
  readonly size: number
}

export interface ZipBounds {
  readonly bundles: number
  /** Bytes before compression, so that the bound does not depend on how well the files compress. */
  readonly bytes: number
}

/** The server accepts 20 GiB. */
export const zipBounds: ZipBounds = Object.freeze({ bundles: 500, bytes: 19 * 1024 ** 3 })

/** @param bundles in their order */
export function planZips(bundles: readonly Bundle[], bounds = zipBounds): readonly PlannedZip[] {
  const groups: Bundle[][] = []
  let bytes = 0
  for (const bundle of bundles) {
    const size = sizeOf(bundle.files)
    const last = groups.at(-1)
    if (last === undefined || last.length >= bounds.bundles || bytes + size > bounds.bytes) {
      groups.push([bundle])
      bytes = size
    } else {
      last.push(bundle)
      bytes += size
    }
  }
  return groups.map((group, index) => {
    const files = nameFiles(group)
    const filename = index === 0 ? 'dSYMs.zip' : `dSYMs-${index + 1}.zip`
    return { filename, bundles: group.length, files, size: sizeOf(files) }
  })
}

/**
 * Names contain no folder of the machine, so the same bundles in another workspace are the same zip. If two bundles have one name, the
 * second is in a folder `2`.
 */
function nameFiles(bundles: readonly Bundle[]): readonly PlannedFile[] {
  const counts = new Map<string, number>()
  return bundles.flatMap(({ path, files }) => {
    const name = zippedBundleName(path)
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    const folder = count === 1 ? name : `${count}/${name}`
    return files.map((file) => ({ ...file, zippedName: `${folder}/${file.name}` }))
  })
}

/** The server finds bundles by exactly this ending, and refuses backslashes and control characters. */
function zippedBundleName(path: string): string {
  return (
    basename(path)
      .replace(/\.dSYM$/i, '.dSYM')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject
      .replace(/[\\\u0000-\u001f\u007f]/g, '_')
  )
}

function sizeOf(files: readonly BundleFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0)
}
