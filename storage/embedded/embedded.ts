import { chmod, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { StartError } from '../database/startError.ts'
import { type Binaries, copiedBinaries, installedBinaries } from './binaries.ts'
import { giveTo, hasDatabase, openDataDir } from './dataFolder.ts'
import { initialize, USERNAME } from './initialize.ts'
import { findLaunchProblem, type Launcher, launchers } from './launcher.ts'
import { lockFolder } from './lock.ts'
import { endOrphans } from './orphans.ts'
import { parameterArguments } from './parameters.ts'
import { type ConnectionTarget, untilReady } from './ready.ts'
import { type Server, startServer } from './server.ts'
import { clearSocket, PORT, socketFolder } from './socketFolder.ts'
import { toFileStartError, toStartError } from './startErrors.ts'

/** A PostgreSQL server that belongs to this process, accepts connections only from the user who runs it, and ends with this process. */
export interface Embedded {
  /** For postgres.js: `postgres({ ...connection })`. `host` is the folder of the unix socket. */
  readonly connection: ConnectionTarget
  /** The version of the server, such as `18.4`. */
  readonly version: string
  readonly pid: number
  /** Resolves when PostgreSQL has ended: after `stop()`, or by itself. It is not restarted. */
  readonly exited: Promise<string>
  /** Shuts PostgreSQL down, by force after 35 s, and releases the data folder. A second call returns the same promise. */
  stop(): Promise<void>
}

/**
 * Starts the PostgreSQL from npm on `<dataDir>/postgres`. The first start creates the folder and the database.
 * `parameters` override any setting except those that keep an acknowledged commit on disk and the socket private. `log` receives the
 * lines of PostgreSQL. Call it from the main thread: PostgreSQL ends with the thread that started it.
 * Throws `StartError`, one sentence, if it fails.
 */
export async function startEmbedded(options: {
  dataDir: string
  log: (line: string) => void
  parameters?: Record<string, string>
}): Promise<Embedded> {
  const dataDir = resolve(options.dataDir)
  const installed = await installedBinaries()
  await openDataDir(dataDir)
  const lock = await lockFolder(dataDir, join(dataDir, 'lock'))
  try {
    const started = await startLocked(dataDir, installed, options.log, options.parameters ?? {})
    const { server, connection } = started
    let stopped: Promise<void> | undefined
    const stop = async (): Promise<void> => {
      await server.stop()
      await clearSocket(connection.host, join(dataDir, 'postgres'))
      lock.release()
    }
    return {
      connection,
      version: started.version,
      pid: server.pid,
      exited: server.exited,
      stop: () => {
        stopped ??= stop()
        return stopped
      },
    }
  } catch (error) {
    lock.release()
    throw toFileStartError(error, dataDir) ?? error
  }
}

async function startLocked(
  dataDir: string,
  installed: Binaries,
  log: (line: string) => void,
  parameters: Record<string, string>,
): Promise<{ server: Server; connection: ConnectionTarget; version: string }> {
  const folder = join(dataDir, 'postgres')
  const existing = await hasDatabase(folder, installed.major)
  if (existing) await endOrphans(folder, log)
  const { launcher, binaries } = await chooseLauncher(installed, dataDir)
  if (existing) await giveTo(folder, launcher.owner)
  else await initialize(folder, binaries, launcher)

  const host = await socketFolder(folder, launcher.owner)
  const connection: ConnectionTarget = { host, port: PORT, database: 'signalbox', username: USERNAME }
  // No process uses the folder, so these files are stale. PostgreSQL would refuse to start if their process ID was assigned again.
  await rm(join(folder, 'postmaster.pid'), { force: true })
  await rm(join(host, `.s.PGSQL.${PORT}`), { force: true })
  await rm(join(host, `.s.PGSQL.${PORT}.lock`), { force: true })
  const args = ['-D', folder, ...parameterArguments(host, parameters)]
  const server = await startServer(binaries.postgres, args, launcher, log)
  try {
    const version = await untilReady(server, connection, folder, log)
    if (version === undefined) throw toStartError(server.lines, folder, true)
    return { server, connection, version }
  } catch (error) {
    await server.stop()
    await clearSocket(host, folder)
    throw error
  }
}

/** Finds the first way of running PostgreSQL that this system allows, by trying each. */
async function chooseLauncher(
  installed: Binaries,
  dataDir: string,
): Promise<{ launcher: Launcher; binaries: Binaries }> {
  let last = 'no way of starting it is known here'
  for (const launcher of launchers()) {
    // The user `nobody` must be able to enter the database folder inside the data folder. It cannot list the other content.
    if (launcher.name === 'nobody') await chmod(dataDir, 0o711)
    for (const copy of [false, true]) {
      if (!copy && !installed.hasLinks) continue
      if (copy && installed.hasLinks && launcher.name !== 'nobody') continue
      const binaries = copy ? await copiedBinaries(installed, dataDir) : installed
      const problem = await findLaunchProblem(launcher, binaries.postgres, dataDir)
      if (problem === undefined) return { launcher, binaries }
      last = problem
    }
  }
  throw new StartError(
    `PostgreSQL can't be run for ${dataDir} on this system (${last}): start as a plain user, set DATA_DIR to a folder that every user may enter, or set DATABASE_URL.`,
  )
}
