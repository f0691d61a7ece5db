import { randomBytes } from 'node:crypto'
import { link, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errnoOf } from '../failures.ts'

/** Writes files atomically: a file is complete or absent, whichever process fails. */

async function writeTemporary(path: string, data: string, mode: number): Promise<string> {
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`
  const file = await open(temporary, 'wx', mode)
  try {
    await file.writeFile(data)
    await file.sync()
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  } finally {
    await file.close()
  }
  return temporary
}

/** Makes a rename or a new name durable. Some systems cannot sync a folder, so errors are ignored. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}

/** Replaces the file atomically and durably: temporary file, fsync, rename, fsync of the folder. */
export async function writeAtomic(path: string, data: string, mode = 0o600): Promise<void> {
  const temporary = await writeTemporary(path, data, mode)
  await rename(temporary, path)
  await syncFolder(dirname(path))
}

export async function writeJson(path: string, value: unknown): Promise<void> {
  await writeAtomic(path, `${JSON.stringify(value, null, 2)}\n`)
}

/** Creates the file with its complete content, or returns false if it exists. If several callers compete, one succeeds. */
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

/** Returns the file's text, or undefined if there is no file. */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return undefined
    throw error
  }
}

/** Returns the file's JSON, or undefined if there is no file. Throws SyntaxError for anything that is not JSON. */
export async function readJson(path: string): Promise<unknown> {
  const text = await readText(path)
  return text === undefined ? undefined : JSON.parse(text)
}
