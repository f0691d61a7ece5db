/**
 * An empty database for a program that is about to start. Creating one takes longer than starting on it. So the program's own
 * code creates it once for all tests, and each test copies it. Tests of the first start do not use it.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installedBinaries } from '../../../../storage/embedded/binaries.ts'
import { startEmbedded } from '../../../../storage/embedded/embedded.ts'

const run = promisify(execFile)

/** The folder depends on the user and on the version. */
async function templateFolder(): Promise<string> {
  const { major } = await installedBinaries()
  return join(tmpdir(), `signalbox-empty-database-${major}-${process.geteuid?.() ?? 0}`)
}

/** Does nothing if the folder has a database. */
export async function freshDatabase(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'postgres')
  if (existsSync(folder)) return
  const template = await templateFolder()
  if (!existsSync(template)) await make(template)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await run('cp', ['-a', template, folder])
}

/** Creates it completely or not at all, since several test files may do so at the same time. */
async function make(template: string): Promise<void> {
  const dataDir = await mkdtemp(`${template}-`)
  try {
    const server = await startEmbedded({ dataDir, log: () => {} })
    await server.stop()
    await rename(join(dataDir, 'postgres'), template).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
