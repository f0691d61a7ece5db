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

/** Declares a test with two processes in a world of its own. */
export type It = (title: string, run: (one: Storage, two: Storage) => Promise<void>) => void

export const itIn =
  (open: OpenDatabase): It =>
  (title, run) => {
    test(
      title,
      withDatabase(open, async (world) => run(...(await Promise.all([world.process('one'), world.process('two')])))),
    )
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
