import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const dayMs = 86_400_000

/** Removes what a process that was killed has left in a folder: entries that are a day old. The folder may not exist. */
export async function removeOldFiles(folder: string, now: number): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found !== undefined && now - found.mtimeMs >= dayMs) await rm(path, { recursive: true, force: true })
  }
}
