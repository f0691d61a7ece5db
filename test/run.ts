/**
 * `npm test`: all test files, or those that are named, and whatever else `node --test` takes. Databases and worktrees of tests are
 * made by the thousand and thrown away, so they are kept in memory where there is room for them; what the processes do is the same.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { stripTypes } from './support/run/stripTypes.ts'

const inMemory = '/dev/shm'
/** Bytes that must be free there; some hundred megabytes are in use at once. */
const room = 6 * 1024 ** 3
/** Tests wait more than they work. */
const atOnce = 4

const root = resolve(import.meta.dirname, '..')
const given = process.argv.slice(2)
const folder = mkdtempSync(join(hasRoom(inMemory) ? inMemory : tmpdir(), 'signalbox-tests-'))
// PostgreSQL runs as another user where the tests run as root.
chmodSync(folder, 0o711)
const env = {
  ...process.env,
  TMPDIR: folder,
  NODE_COMPILE_CACHE: join(folder, 'compiled'),
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${stripTypes(root, join(folder, 'stripped'))}`,
}
const files = given.some((one) => !one.startsWith('-')) ? [] : ['test/**/*.test.ts']
try {
  const args = ['--test', `--test-concurrency=${atOnce}`, ...given, ...files]
  const { status } = spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' })
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function hasRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize >= room
  } catch {
    return false
  }
}
