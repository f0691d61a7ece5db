/**
 * `npm test`: runs the everyday tests, or the named files, with any option of `node --test`. `npm run test:long` runs the files
 * `*.long.test.ts`, which take most of the time. `npm run test:again` runs the files that failed in the last run, one at a time.
 * With `--minutes=45` a run begins no more files after that time, and lists those that it left out.
 *
 * Tests create and delete thousands of databases and worktrees, so these are kept in memory if there is enough of it. That does not
 * change what the processes do.
 *
 * Before the first test it checks the programs of the machine. It downloads a Chromium if there is none, and stops if that fails. It lists
 * the tests that do not run because a program is missing.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { serverKinds } from './kit/runtime/postgres/postgres.ts'
import { browserSetup, prepareChromium } from './runner/browser.ts'
import { readFailedFiles, storeFailedFiles } from './runner/failedFiles.ts'
import { GroupRun, groupFiles, writeGroup } from './runner/groups.ts'
import { killRunOf } from './runner/hangingFile.ts'
import { readMinutesOption } from './runner/minutesOption.ts'
import { processorHasTime } from './runner/processor.ts'
import { Progress, plural } from './runner/progress.ts'
import { missingPrograms, needsBrowser } from './runner/requirements.ts'
import { sharesProcess } from './runner/shared.ts'
import { stripTypes } from './runner/stripTypes.ts'

const inMemory = '/dev/shm'
/** Bytes that must be free there; some hundred megabytes are in use at once. */
const room = 6 * 1024 ** 3
/** Files that run at once. Tests wait more than they work, so there are more than cores where the processor has time left. */
const atOnce = { least: 2, most: 4 }
/** How long one file, or files that share a process, may run. The longest takes 90 s on 2 cores, and four times that where they are slow and shared. */
const fileMs = 15 * 60_000

/** Tests with a command of their own, which `npm test` leaves out: `npm run test:clis` and `npm run test:long`. */
const stockClis = 'test/stockClis/'
const longFiles = 'test/**/*.long.test.ts'
const isEveryday = (file: string): boolean => !file.startsWith(stockClis) && !file.endsWith('.long.test.ts')

/** The folders with the longest files. They are started first, so that no file of a minute runs alone at the end. */
const longFolders = [
  'test/longRuns/',
  'test/contracts/',
  'test/demo/',
  'test/clients/console/',
  'test/docs/',
  'test/storage/connections/',
  'test/gateway/http/',
  'test/scenarios/',
]

const root = resolve(import.meta.dirname, '..')
const isSecondRun = process.argv.includes('--again')
const given = isSecondRun ? orStop(() => readFailedFiles(root)) : process.argv.slice(2)
const named = given.filter((one) => !one.startsWith('-'))
const { minutes, rest: options } = orStop(() => readMinutesOption(given.filter((one) => one.startsWith('-'))))
const chosen = named.length > 0 ? findFiles(named) : findFiles(['test/**/*.test.ts']).filter(isEveryday)
const browserEnv = prepareBrowser()
const files = withoutMissingPrograms()

const folder = mkdtempSync(join(hasRoom(inMemory) ? inMemory : tmpdir(), 'signalbox-tests-'))
// PostgreSQL runs as another user where the tests run as root.
chmodSync(folder, 0o711)
Object.assign(process.env, browserEnv, {
  TMPDIR: folder,
  NODE_COMPILE_CACHE: join(folder, 'compiled'),
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${await stripTypes(root, join(folder, 'stripped'))}`,
})
try {
  process.exitCode = (await (options.length === 0 ? runFiles() : runByNode())) ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/**
 * Returns whether all tests passed. Each process of test files is a run of its own: one run of all holds back the events of a process until all
 * before it are done.
 */
async function runFiles(): Promise<boolean> {
  const progress = new Progress(root, files.length, process.stdout.isTTY ? process.stdout.columns || 80 : undefined)
  // A run that is killed has no list.
  storeFailedFiles(root, [])
  process.stdout.write(progress.begin())
  if (named.length === 0) {
    const left = plural(findFiles([longFiles]).length, 'long file')
    process.stdout.write(`# not run: ${left} (npm run test:long), the stock coding CLIs (npm run test:clis)\n`)
  }
  const isLong = (file: string): boolean => longFolders.some((folder) => file.startsWith(folder))
  const inOrder = [...files.filter(isLong), ...files.filter((file) => !isLong(file))]
  const queue = [...groupFiles(inOrder, sharesProcess)]
  const endsAt = minutes === undefined ? Number.POSITIVE_INFINITY : performance.now() + minutes * 60_000
  const isOver = (): boolean => queue.length === 0 || performance.now() >= endsAt
  const work = async (additional: boolean): Promise<void> => {
    for (;;) {
      if (additional) await processorHasTime(isOver)
      const together = isOver() ? undefined : queue.shift()
      if (together === undefined) return
      const group = writeGroup(root, folder, together)
      const groupRun = new GroupRun(group)
      const limit = setTimeout(() => {
        if (killRunOf(group.module)) process.stdout.write(progress.handleKilled(groupRun.current, fileMs))
      }, fileMs)
      for await (const text of groupRun.run(progress)) process.stdout.write(text)
      clearTimeout(limit)
    }
  }
  const most = isSecondRun ? 1 : atOnce.most
  await Promise.all(Array.from({ length: most }, (_, index) => work(index >= atOnce.least)))
  process.stdout.write(progress.end())
  const left = queue.flat()
  if (left.length > 0) {
    const names = left.map((file) => `#   ${file}\n`).join('')
    process.stdout.write(`# not run: ${plural(left.length, 'file')}, since ${minutes} min are over:\n${names}`)
  }
  storeFailedFiles(root, progress.failedFiles)
  return !progress.hasFailed
}

/** With options, Node's own runner and reporter. */
async function runByNode(): Promise<boolean> {
  const args = ['--test', `--test-concurrency=${atOnce.least}`, ...options, ...files]
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status === 0
}

/** Paths from the project's folder, in order. */
function findFiles(patterns: readonly string[]): readonly string[] {
  const found = patterns.flatMap((pattern) => {
    const paths = globSync(relative(root, resolve(root, pattern)), { cwd: root, exclude: ['**/node_modules'] }).sort()
    if (paths.length === 0)
      stop(`No test file matches ${pattern}. Name files or patterns such as test/gateway/**/*.test.ts.`)
    return paths
  })
  return [...new Set(found)]
}

/** Also tests that start a process of their own find the browser by this. */
function prepareBrowser(): Readonly<Record<string, string>> {
  if (!needsBrowser(chosen)) return {}
  try {
    return { CHROMIUM_PATH: prepareChromium(browserSetup(root)) }
  } catch (error) {
    return stop(error instanceof Error ? error.message : String(error))
  }
}

function orStop<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    return stop(error instanceof Error ? error.message : String(error))
  }
}

function withoutMissingPrograms(): readonly string[] {
  const missing = missingPrograms(chosen, (file) => readFileSync(join(root, file), 'utf8'))
  for (const { program, install, files } of missing)
    console.log(`Not tested without ${program}: ${plural(files.length, 'file')} (${install}): ${files.join(', ')}`)
  if (!serverKinds().includes('installed') && !serverKinds().includes('given'))
    console.log(
      'Not tested: the storage on a PostgreSQL of the system (apt-get install postgresql). The embedded one is used.',
    )
  const left = chosen.filter((file) => !missing.some(({ files }) => files.includes(file)))
  if (left.length === 0) stop('No test file is left to run.')
  return left
}

function stop(problem: string): never {
  console.error(problem)
  process.exit(1)
}

function hasRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize >= room
  } catch {
    return false
  }
}
