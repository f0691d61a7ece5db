import { test } from 'node:test'
import { openStorage } from '../../storage/open.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Failures } from '../kit/runtime/memory/failures.ts'
import { openMemoryStorage } from '../kit/runtime/memory/memory.ts'
import { MemoryState } from '../kit/runtime/memory/state.ts'
import { type ServerKind, testDatabase } from '../kit/runtime/postgres/postgres.ts'

/** One database and the processes that use it. */
export interface SharedDatabase {
  /** Starts another process with this owner token. */
  process(owner: string): Promise<Storage>
  close(): Promise<void>
}

export type OpenDatabase = () => Promise<SharedDatabase>

export async function memoryDatabase(failures: Failures = {}): Promise<SharedDatabase> {
  const state = new MemoryState()
  const opened: Storage[] = []
  return {
    async process(owner) {
      const storage = openMemoryStorage({ owner, state, failures })
      opened.push(storage)
      return storage
    },
    async close() {
      for (const storage of opened) await storage.close()
    },
  }
}

export function postgresDatabase(kind: ServerKind): OpenDatabase {
  return async () => {
    const database = await testDatabase(kind)
    const opened: Storage[] = []
    return {
      async process(owner) {
        const storage = await openStorage({ ...database.target, owner, log: () => {} })
        opened.push(storage)
        return storage
      },
      async close() {
        for (const storage of opened) await storage.close()
        await database.drop()
      },
    }
  }
}

/** Declares a test with one or two processes on a database of its own. */
export type It = (title: string, run: Run) => void

type Run = (one: Storage, two: Storage) => Promise<void>

/** @param begin runs before each test, when its processes are open */
export const itIn =
  (open: OpenDatabase, begin?: () => Promise<void> | void): It =>
  (title, run) => {
    test(
      title,
      withDatabase(open, async (world) => {
        const processes = await openProcesses(world, run)
        await begin?.()
        await run(...processes)
      }),
    )
  }

/** Opening a process takes a tenth of a second, so a test that takes only one gets no second one. */
async function openProcesses(world: SharedDatabase, run: Run): Promise<Parameters<Run>> {
  if (run.length > 1) return await Promise.all([world.process('one'), world.process('two')])
  const one = await world.process('one')
  return [one, one]
}

/** Runs a test in a world of its own. */
export function withDatabase(open: OpenDatabase, run: (world: SharedDatabase) => Promise<void>): () => Promise<void> {
  return async () => {
    const world = await open()
    try {
      await run(world)
    } finally {
      await world.close()
    }
  }
}
