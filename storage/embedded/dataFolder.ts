import { chmod, lchown, mkdir, open, readdir, readFile, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../database/startError.ts'
import { NOBODY } from './launcher.ts'
import { toFileStartError, whoAmI } from './startErrors.ts'

/** Creates the data folder, readable only for its owner, or checks the existing one. */
export async function openDataDir(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    // The access rights are not reliable (root, read-only disks), so this tries to write.
    const trial = await open(join(dataDir, 'lock'), 'a', 0o600)
    await trial.close()
  } catch (error) {
    throw toFileStartError(error, dataDir) ?? error
  }
}

/**
 * Returns whether `folder` has a database that this PostgreSQL can use. An empty folder is removed.
 * Throws `StartError` for a folder of another user, of another major version, or with other content.
 */
export async function hasDatabase(folder: string, major: number): Promise<boolean> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw toFileStartError(error, folder) ?? error
  })
  if (found === undefined) return false
  const self = process.geteuid?.() ?? 0
  // A database of root may belong to `nobody`: see launcher.ts.
  if (found.uid !== self && !(self === 0 && found.uid === NOBODY)) {
    throw new StartError(
      `The database folder ${folder} belongs to user ${found.uid} and this is ${whoAmI()}: start as that user, or give the folder away with \`chown -R ${self}\`.`,
    )
  }
  const version = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw toFileStartError(error, folder) ?? error
  })
  if (version === undefined) {
    // A first start never leaves an incomplete folder here: it is created elsewhere and renamed.
    if ((await readdir(folder)).length > 0) {
      throw new StartError(
        `The database folder ${folder} looks damaged: it holds files and no PG_VERSION; restore it from a backup, or move it away to begin empty.`,
      )
    }
    await rmdir(folder)
    return false
  }
  const theirs = Number.parseInt(version, 10)
  if (theirs !== major) {
    const age = theirs > major ? 'newer' : 'older'
    const way =
      theirs > major ? 'start the newer Signalbox that made it' : 'move its data over with pg_upgrade or a dump'
    throw new StartError(
      `The database folder ${folder} was made by the ${age} PostgreSQL ${version.trim()} and this is ${major}: ${way}, or set DATA_DIR to another folder.`,
    )
  }
  return true
}

/** Changes the owner of a folder and its content. The top folder is last, so that the next start detects a crash in between. */
export async function giveTo(folder: string, owner: number): Promise<void> {
  const { uid, mode } = await stat(folder)
  if (uid !== owner) await giveTree(folder, owner)
  // PostgreSQL refuses a folder that other users can read. A copy or a restore creates such folders.
  if ((mode & 0o077) !== 0) await chmod(folder, 0o700)
}

async function giveTree(folder: string, owner: number): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await giveTree(path, owner)
    else await lchown(path, owner, owner)
  }
  await lchown(folder, owner, owner)
}
