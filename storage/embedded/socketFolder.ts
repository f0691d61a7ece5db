import { createHash } from 'node:crypto'
import { chown, lstat, mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartError } from '../database/startError.ts'

/** The port is only part of the socket's name. */
export const PORT = 5432

/** Bytes that a socket's path may have: 103 on macOS, 107 on Linux. */
const PATH_BYTES = 103

/**
 * The folder for the server's socket: the database folder itself, which only its owner can enter, or, where that path is
 * too long for a socket, a short folder with the same rights whose name is made from the long path.
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

/** Removes what `socketFolder` made and what a killed server left in it. */
export async function clearSocket(folder: string, databaseFolder: string): Promise<void> {
  const socket = join(folder, `.s.PGSQL.${PORT}`)
  await rm(socket, { force: true })
  // It names a process ID, which may belong to somebody else by now and would then stop the next start.
  await rm(`${socket}.lock`, { force: true })
  if (folder !== databaseFolder) await rm(folder, { recursive: true, force: true })
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, `.s.PGSQL.${PORT}`)) <= PATH_BYTES
}

/** The temporary folder is everybody's: a folder of that name which another user made is not taken. */
async function makePrivate(folder: string, self: number, owner: number): Promise<boolean> {
  await mkdir(folder, { mode: 0o700 }).catch(() => {})
  const found = await lstat(folder).catch(() => undefined)
  if (!found?.isDirectory() || (found.mode & 0o077) !== 0) return false
  if (found.uid !== self && found.uid !== owner) return false
  if (found.uid !== owner) await chown(folder, owner, owner)
  return true
}
