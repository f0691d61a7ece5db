/** Opens the database that the settings select: the embedded one below `DATA_DIR`, or a PostgreSQL server by `DATABASE_URL`. */
import { join, resolve } from 'node:path'
import { startEmbedded } from '../embedded/embedded.ts'
import { openStorage } from '../open.ts'
import type { Storage } from '../storage.ts'
import { databaseInFolder } from './refusals.ts'

export interface DatabaseOptions {
  readonly settings: { readonly databaseUrl: string | undefined; readonly dataDir: string }
  /** The token of this process. */
  readonly owner: string
  /** Identifies the machines of this program. */
  readonly machines: string
  readonly log: (line: string) => void
}

export interface Database {
  readonly storage: Storage
  /** Whether other processes can write to it too. The embedded database belongs to one process at a time. */
  readonly shared: boolean
  /** Resolves with the reason if the database is permanently lost. */
  readonly failed: Promise<string>
  close(): Promise<void>
}

/** @throws StartError, one sentence */
export async function openDatabase({ settings, owner, machines, log }: DatabaseOptions): Promise<Database> {
  const { databaseUrl, dataDir } = settings
  if (databaseUrl !== undefined) {
    const storage = await openStorage({ url: databaseUrl, owner, machines, log })
    return { storage, shared: true, failed: storage.superseded, close: () => storage.close() }
  }
  const embedded = await startEmbedded({ dataDir, log })
  try {
    const place = databaseInFolder(join(resolve(dataDir), 'postgres'))
    const storage = await openStorage({ connection: embedded.connection, owner, machines, alone: true, place, log })
    let closing = false
    return {
      storage,
      shared: false,
      failed: new Promise((resolve) => {
        void embedded.exited.then((how) => closing || resolve(endedSentence(how)))
      }),
      async close() {
        closing = true
        await storage.close()
        await embedded.stop()
      },
    }
  } catch (error) {
    await embedded.stop()
    throw error
  }
}

/** `how`: the signal or the exit code of PostgreSQL. */
function endedSentence(how: string): string {
  return `The embedded PostgreSQL has ended by itself (${how}), so this program ends too: start it again; whatever it had acknowledged is on disk.`
}
