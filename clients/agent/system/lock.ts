import { access, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import { AgentFailure, errnoOf, exitCodes } from '../failures.ts'
import { sleep } from '../wait.ts'
import { createOnce, readJson } from './files.ts'
import { identify, isAlive, ProcessIdentity } from './identity.ts'

/**
 * Allows one agent process per state folder. Locks are numbered. The highest number counts, and it is held while the process that it
 * identifies runs. So no cleanup is needed after a kill. A lock of an ended process is never taken over. The next number follows it,
 * which only one process can create. So if two processes see the same expired lock, only one succeeds.
 */
export interface Lock {
  /** Returns whether this process still holds the folder. It may have been copied or removed meanwhile. */
  held(): Promise<boolean>
  release(): Promise<void>
}

/** Waits up to `patienceMs` for a holder that is about to end. Throws AgentFailure if it does not end. */
export async function takeLock(folder: string, patienceMs = 3_000): Promise<Lock> {
  const giveUpAt = performance.now() + patienceMs
  for (;;) {
    const taken = await tryLock(folder)
    if (typeof taken !== 'number') return taken
    if (performance.now() >= giveUpAt) {
      throw new AgentFailure(
        exitCodes.locked,
        `Another agent (process ${taken}) works with the state folder ${folder}; stop it first, or give this one a folder of its own with --state.`,
      )
    }
    await sleep(100)
  }
}

/** Returns the lock, or the number of the process that holds it. */
async function tryLock(folder: string): Promise<Lock | number> {
  const newest = await newestLock(folder)
  const holder = newest === 0 ? undefined : await holderOf(folder, newest)
  if (holder && (await isAlive(holder))) return holder.pid

  const self = await identify(process.pid)
  if (!self)
    throw new AgentFailure(exitCodes.unexpected, 'This system does not tell when a process began; is /proc mounted?')
  const mine = newest + 1
  if (!(await create(join(folder, `lock.${mine}`), self))) return tryLock(folder)
  // Between the read and the create, other processes may have created and released locks with higher numbers.
  if ((await newestLock(folder)) !== mine) {
    await rm(join(folder, `lock.${mine}`), { force: true })
    return tryLock(folder)
  }
  for (const number of await lockNumbers(folder)) {
    if (number < mine) await rm(join(folder, `lock.${number}`), { force: true })
  }
  return {
    held: async () => (await newestLock(folder)) === mine && (await holderOf(folder, mine))?.pid === process.pid,
    release: () => rm(join(folder, `lock.${mine}`), { force: true }),
  }
}

/** A process that got the lock meanwhile removes incomplete files, and may remove this one's temporary file. */
async function create(path: string, self: ProcessIdentity): Promise<boolean> {
  return await createOnce(path, self).catch(async (error: unknown) => {
    if (errnoOf(error) !== 'ENOENT') throw error
    // The folder may also be missing.
    await access(dirname(path))
    return false
  })
}

async function lockNumbers(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch(() => [])
  return names.flatMap((name) => (/^lock\.\d+$/.test(name) ? [Number(name.slice(5))] : []))
}

async function newestLock(folder: string): Promise<number> {
  return Math.max(0, ...(await lockNumbers(folder)))
}

async function holderOf(folder: string, number: number): Promise<ProcessIdentity | undefined> {
  const parsed = v.safeParse(ProcessIdentity, await readJson(join(folder, `lock.${number}`)).catch(() => undefined))
  return parsed.success ? parsed.output : undefined
}
