import { randomBytes } from 'node:crypto'
import { link, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errnoOf } from '../failures.ts'

/** Files that are either whole or not there, whatever dies in the middle. */

async function writeTemporary(path: string, data: string, mode: number): Promise<string> {
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`
  const file = await open(temporary, 'wx', mode)
  try {
    await file.writeFile(data)
    await file.sync()
  } finally {
    await file.close()
  }
  return temporary
}

/** Makes a rename or a new name survive a loss of power. Not every system lets a folder be synced, hence the silence. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}

/** Replaces the file at once and durably: temporary file, fsync, rename, fsync of the folder. */
export async function writeAtomic(path: string, data: string, mode = 0o600): Promise<void> {
  const temporary = await writeTemporary(path, data, mode)
  await rename(temporary, path)
  await syncFolder(dirname(path))
}

export async function writeJson(path: string, value: unknown): Promise<void> {
  await writeAtomic(path, `${JSON.stringify(value, null, 2)}\n`)
}

/** Creates the file with its whole content, or returns false because it is there already. Of several callers one wins. */
export async function createOnce(path: string, value: unknown): Promise<boolean> {
  const temporary = await writeTemporary(path, `${JSON.stringify(value)}\n`, 0o600)
  try {
    await link(temporary, path)
    await syncFolder(dirname(path))
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false
    throw error
  } finally {
    await rm(temporary, { force: true })
  }
}

/** The file's text, or undefined if there is none. */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return undefined
    throw error
  }
}

/** The file's JSON, or undefined if there is no such file. Throws SyntaxError on anything that is not JSON. */
export async function readJson(path: string): Promise<unknown> {
  const text = await readText(path)
  return text === undefined ? undefined : JSON.parse(text)
}
