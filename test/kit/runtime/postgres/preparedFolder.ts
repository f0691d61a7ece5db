/**
 * Data folders of PostgreSQL with a migrated database. Creating one takes seconds, so it is created once for all processes of a
 * run, and each server of a test begins with a copy. Tests of the first start of a program do not use it.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { OwnKind } from './servers.ts'

const project = resolve(import.meta.dirname, '../../../..')

/** The migrated database in it. The program uses this name for its own. */
export const preparedDatabase = 'signalbox'

/** Its name depends on the user and on the files that define the database. */
function preparedFolder(kind: OwnKind): string {
  const hash = createHash('sha256')
  for (const path of globSync('{package-lock.json,storage/migrations/*.sql,storage/retention/retention.ts}', {
    cwd: project,
  }).sort())
    hash.update(path).update(readFileSync(join(project, path)))
  return join(tmpdir(), `sb-prepared-${kind}-${process.geteuid?.() ?? 0}-${hash.digest('hex').slice(0, 16)}`)
}

export async function copyPreparedFolder(kind: OwnKind, to: string): Promise<void> {
  const prepared = preparedFolder(kind)
  // Most processes only copy it, and need not load the storage.
  if (!existsSync(prepared)) await (await import('./prepare.ts')).prepare(kind, prepared)
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await promisify(execFile)('cp', ['-a', prepared, to])
}

/** The database of a program that is about to start, unless its data folder has one. */
export async function freshDatabase(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'postgres')
  if (!existsSync(folder)) await copyPreparedFolder('embedded', folder)
}
