import { randomBytes } from 'node:crypto'
import { lchown, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { type Launcher, launch } from './launcher.ts'
import { toStartError } from './startErrors.ts'
import { tail } from './tail.ts'

/** The name of the superuser that initdb creates. No other user can reach the socket. */
export const USERNAME = 'signalbox'

/**
 * Creates a database folder. It is created under another name, and renamed when it is complete and on disk. So `folder` is
 * complete or absent after a power failure at any time. The caller holds the data folder's lock.
 */
export async function initialize(folder: string, binaries: Binaries, launcher: Launcher): Promise<void> {
  const parent = dirname(folder)
  const prefix = `${basename(folder)}.new-`
  for (const name of await readdir(parent)) {
    if (name.startsWith(prefix)) await rm(join(parent, name), { recursive: true, force: true })
  }
  const temporary = join(parent, prefix + randomBytes(6).toString('hex'))
  await mkdir(temporary, { mode: 0o700 })
  if (launcher.owner !== process.geteuid?.()) await lchown(temporary, launcher.owner, launcher.owner)
  try {
    const complaint = await initdb(temporary, binaries, launcher)
    if (complaint !== undefined) throw toStartError(complaint, folder, false)
    await rename(temporary, folder)
    const handle = await open(parent)
    await handle.sync().finally(() => handle.close())
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    throw error
  }
}

/** Returns the output of initdb if it failed. */
async function initdb(folder: string, binaries: Binaries, launcher: Launcher): Promise<readonly string[] | undefined> {
  const args = ['-D', folder, '-U', USERNAME, '-E', 'UTF8', '--no-instructions']
  // PostgreSQL's own C.UTF-8: the same order on every system, independent of its locales and of ICU.
  args.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8')
  // A user who can enter the folder may connect. The server does not listen on TCP.
  args.push('--auth-local=trust', '--auth-host=reject')
  const child = launch(launcher, binaries.initdb, args, { cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
  const lines = tail(child.stderr)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  return code === 0 ? undefined : lines
}
