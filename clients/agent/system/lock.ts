import { access, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import { AgentFailure, errnoOf, exitCodes } from '../failures.ts'
import { sleep } from '../wait.ts'
import { createOnce, readJson } from './files.ts'
import { identify, isAlive, ProcessIdentity } from './identity.ts'

/**
 * One agent process per state folder. Locks are numbered, the highest number counts, and it holds as long as the process that
 * it names is alive, so nothing has to be cleaned up after a kill. A dead lock is never taken over but followed by the next
 * number, which only one process can create; so two that see the same dead lock can't both win.
 */
export interface Lock {
  /** Whether this process still holds the folder (it may have been copied away or removed under it). */
  held(): Promise<boolean>
  release(): Promise<void>
}

/** Waits up to `patienceMs` for a holder that is just ending. Throws AgentFailure if it stays. */
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

/** The lock, or the number of the process that holds it. */
async function tryLock(folder: string): Promise<Lock | number> {
  const newest = await newestLock(folder)
  const holder = newest === 0 ? undefined : await holderOf(folder, newest)
  if (holder && (await isAlive(holder))) return holder.pid

  const self = await identify(process.pid)
  if (!self)
    throw new AgentFailure(exitCodes.unexpected, 'This system does not tell when a process began; is /proc mounted?')
  const mine = newest + 1
  if (!(await create(join(folder, `lock.${mine}`), self))) return tryLock(folder)
  // Between reading and creating, others may have come and gone and the numbers gone on.
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

/** Whoever got the lock meanwhile clears the folder of half-written files, and takes ours for one. */
async function create(path: string, self: ProcessIdentity): Promise<boolean> {
  return await createOnce(path, self).catch(async (error: unknown) => {
    if (errnoOf(error) !== 'ENOENT') throw error
    // It may also be that the folder is gone.
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
