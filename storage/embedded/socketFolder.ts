import { createHash } from 'node:crypto'
import { chown, lstat, mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartError } from '../database/startError.ts'

/** The port is only part of the socket's name. */
export const PORT = 5432

/** The most bytes of a socket's path: 103 on macOS, 107 on Linux. */
const PATH_BYTES = 103

/**
 * The folder for the server's socket. It is the database folder itself, which only its owner can enter. If that path is too long
 * for a socket, it is a short folder with the same rights, whose name is derived from the long path.
 */
export async function socketFolder(databaseFolder: string, owner: number): Promise<string> {
  if (fits(databaseFolder)) return databaseFolder
  const self = process.geteuid?.() ?? 0
  const name = `signalbox-${self}-${createHash('sha256').update(databaseFolder).digest('hex').slice(0, 12)}`
  for (const base of new Set([tmpdir(), '/tmp'])) {
    const folder = join(base, name)
    if (fits(folder) && (await makePrivate(folder, self, owner))) return folder
  }
  throw new StartError(
    `The path ${databaseFolder} is too long for a unix socket and no private folder could be made in ${tmpdir()}: set DATA_DIR to a shorter path.`,
  )
}

/** Removes the folder that `socketFolder` created, and the files that a killed server left in it. */
export async function clearSocket(folder: string, databaseFolder: string): Promise<void> {
  const socket = join(folder, `.s.PGSQL.${PORT}`)
  await rm(socket, { force: true })
  // The file has a process ID that another process may have by now. It would then stop the next start.
  await rm(`${socket}.lock`, { force: true })
  if (folder !== databaseFolder) await rm(folder, { recursive: true, force: true })
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, `.s.PGSQL.${PORT}`)) <= PATH_BYTES
}

/** All users can write to the temporary folder. A folder of that name that another user created is not used. */
async function makePrivate(folder: string, self: number, owner: number): Promise<boolean> {
  await mkdir(folder, { mode: 0o700 }).catch(() => {})
  const found = await lstat(folder).catch(() => undefined)
  if (!found?.isDirectory() || (found.mode & 0o077) !== 0) return false
  if (found.uid !== self && found.uid !== owner) return false
  if (found.uid !== owner) await chown(folder, owner, owner)
  return true
}
