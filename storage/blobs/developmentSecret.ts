import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../database/startError.ts'
import { toFileStartError } from '../embedded/startErrors.ts'

const BYTES = 32

/**
 * The application secret of a server that is not in production: 32 random bytes, made once and kept in
 * `<dataDir>/development-secret`, readable for its owner alone, so that sessions outlive a restart. Processes that start
 * at the same time get the same one.
 * Throws `StartError` when the file can't be read or made, or holds something else.
 */
export async function developmentSecret(dataDir: string): Promise<Uint8Array> {
  const path = join(dataDir, 'development-secret')
  try {
    return (await read(path)) ?? (await make(dataDir, path))
  } catch (error) {
    throw toFileStartError(error, dataDir) ?? error
  }
}

async function read(path: string): Promise<Uint8Array | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  if (!/^[0-9a-f]{64}\n$/.test(text)) {
    throw new StartError(
      `The secret in ${path} is damaged: put it back from a backup, or remove the file, which signs everyone out and makes stored credentials unreadable.`,
    )
  }
  // A copy or a restore may have opened it to others.
  if (((await stat(path)).mode & 0o077) !== 0) await chmod(path, 0o600)
  return new Uint8Array(Buffer.from(text, 'hex'))
}

/** Written beside its place and moved there when it is on disk, so no crash leaves half a secret. */
async function make(dataDir: string, path: string): Promise<Uint8Array> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  try {
    await write(temporary, `${randomBytes(BYTES).toString('hex')}\n`)
    // Unlike a rename, a link does not replace what another process put there first.
    await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return
      // Some file systems have no links.
      if (error.code === 'EPERM' || error.code === 'ENOTSUP') return rename(temporary, path)
      throw error
    })
    const folder = await open(dataDir)
    await folder.sync().finally(() => folder.close())
  } finally {
    await rm(temporary, { force: true })
  }
  const made = await read(path)
  if (made === undefined) throw new StartError(`The secret ${path} was removed while it was made: start again.`)
  return made
}

async function write(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
