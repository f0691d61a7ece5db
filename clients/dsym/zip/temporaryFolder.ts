/** The folder in which zips are written. It is removed at every exit of the program but SIGKILL. */
import { rmSync } from 'node:fs'
import { mkdtemp, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf, UploadFailure } from '../failures.ts'
import { formatBytes } from '../report/formatBytes.ts'
import type { PlannedZip } from './planZips.ts'

export interface TemporaryFolder {
  readonly path: string
  /** Synchronous, so that it can be called when the process exits. */
  remove(): void
}

/** @throws UploadFailure */
export async function createTemporaryFolder(parent: string): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(parent, 'signalbox-dsym-')).catch((error: unknown) => {
    throw new UploadFailure(
      `No folder for zips can be created in ${parent}: ${messageOf(error)}. Choose another one with --temp-dir.`,
    )
  })
  const remove = () => {
    process.off('exit', remove)
    rmSync(path, { recursive: true, force: true })
  }
  process.on('exit', remove)
  return { path, remove }
}

/** Other programs write to the same disk meanwhile. */
const spareBytes = 64 * 1024 * 1024

/** @returns the most bytes that the zip can have: Deflate adds at most 5 bytes for 64 KiB, and a file has two headers with its name */
export function mostZipBytes({ files, size }: PlannedZip): number {
  const headers = files.reduce((sum, { zippedName }) => sum + 256 + 2 * Buffer.byteLength(zippedName), 256)
  return size + Math.ceil(size / 4096) + headers
}

/** @throws UploadFailure if the disk has less space than the zip may need */
export async function requireSpace(folder: string, zip: PlannedZip): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const [needed, free] = [mostZipBytes(zip) + spareBytes, bavail * bsize]
  if (needed <= free) return
  throw new UploadFailure(
    `${zip.filename} needs up to ${formatBytes(needed)}, and ${folder} has ${formatBytes(free)} free. Free space there, or choose a folder on another disk with --temp-dir.`,
  )
}
