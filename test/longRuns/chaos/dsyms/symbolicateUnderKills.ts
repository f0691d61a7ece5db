/**
 * Kills servers while they symbolicate crash reports: some that have waited for their dSYMs, and some that come afterwards. From the client's
 * side it is checked that each acknowledged report is stored once, ends SYMBOLICATED, and has the names that llvm-symbolizer finds.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { firstKey } from '../../../kit/program/graphql.ts'
import {
  type AppOfImages,
  type CompiledImage,
  type CrashFile,
  makeAppOfImages,
  makeCrashFile,
  sendCrashFile,
  zipOfImages,
} from '../../../kit/program/objects/appImages.ts'
import type { Program } from '../../../kit/program/program.ts'
import { type Shared, shareBlobFolder, sharedDatabase } from '../../../kit/program/twoServers.ts'
import { compileImage } from '../../bench/symbolication/compileImage.ts'
import { namesByReport } from '../../bench/symbolication/crashFiles.ts'
import {
  countByStatus,
  countInGroups,
  findApp,
  readSymbols,
  uploadDsyms,
} from '../../bench/symbolication/crashReports.ts'
import { nameByLlvm } from '../../bench/symbolication/llvmNames.ts'
import { Random } from '../../soak/random.ts'

export interface SymbolicationKills {
  readonly kills: number
  readonly seed: number
  /** On one PostgreSQL, with one folder of blobs. */
  readonly servers: 1 | 2
  /** Reports of each app that wait for its dSYMs. Half as many come afterwards. */
  readonly reports: number
  print(line: string): void
}

/**
 * The status of some reports at the moment of a kill. RECEIVED: they were being symbolicated as they came. WAITING_FOR_SYMBOLS: their dSYMs were
 * indexed, and they were next.
 */
export type KillStatus = 'RECEIVED' | 'WAITING_FOR_SYMBOLS'

export interface SymbolicationKillsResult {
  readonly kills: number
  readonly killsByStatus: Readonly<Record<KillStatus, number>>
  /** Reports that a server has acknowledged. */
  readonly reports: number
  readonly problems: readonly string[]
}

/** A restarted server is ready by then, and has repeated the effects of the one that was killed, ms. */
const mostMs = 180_000
/** Reports that are sent have the status again by then. Otherwise all have their names, ms. */
const mostPauseMs = 5_000
const images = 2
const shape = { threads: 20, framesPerThread: 20 } as const
const functions = 100

export async function symbolicateUnderKills(request: SymbolicationKills): Promise<SymbolicationKillsResult> {
  const names = request.servers === 1 ? ['one'] : ['one', 'two']
  const shared = await sharedDatabase({
    LIMIT_DISK_RESERVE_BYTES: '1',
    LIMIT_GRAPHQL_POINTS_PER_5_MINUTES: '1000000000',
  })
  try {
    if (names.length > 1) await shareBlobFolder(shared.folder, names)
    const servers = new Map<string, Program>()
    for (const name of names) servers.set(name, await shared.start(name))
    const [first] = servers.values()
    if (first === undefined) throw new Error('There is no server.')
    const key = await firstKey(first.url)
    const dsymFolder = join(shared.folder, 'dsyms')
    mkdirSync(dsymFolder)
    const compiled = await compileImage(dsymFolder, functions)
    const run = new SymbolicationRun({ request, shared, servers, key, dsymFolder, compiled })
    while (run.kills < request.kills) {
      await run.symbolicateApp()
      request.print(`${run.kills} kills, ${run.reports} reports`)
    }
    return run.result()
  } finally {
    await shared.end()
  }
}

interface RunParts {
  readonly request: SymbolicationKills
  readonly shared: Shared
  readonly servers: Map<string, Program>
  readonly key: string
  /** Files of dSYMs for llvm-symbolizer. */
  readonly dsymFolder: string
  readonly compiled: CompiledImage
}

class SymbolicationRun {
  readonly #parts: RunParts
  /** For the reports and the kills, which are the same for the same seed. */
  readonly #random: Random
  /** For the choice of a server, which depends on how often requests are repeated. */
  readonly #choice = new Random(1)
  readonly #problems: string[] = []
  #apps = 0
  readonly #killsByStatus: Record<KillStatus, number> = { RECEIVED: 0, WAITING_FOR_SYMBOLS: 0 }
  kills = 0
  reports = 0

  constructor(parts: RunParts) {
    this.#parts = parts
    this.#random = new Random(parts.request.seed)
  }

  result(): SymbolicationKillsResult {
    const { kills, reports } = this
    return { kills, reports, killsByStatus: this.#killsByStatus, problems: this.#problems }
  }

  async symbolicateApp(): Promise<void> {
    const { request, compiled, dsymFolder } = this.#parts
    const app = makeAppOfImages(`org.example.app${this.#apps++}`, images)
    const below = (end: number) => this.#random.below(end)
    const files = Array.from({ length: request.reports + Math.ceil(request.reports / 2) }, () =>
      makeCrashFile(app, compiled, shape, below),
    )
    const { functions: expected } = await nameByLlvm(dsymFolder, app, compiled, files)
    const waiting = files.slice(0, request.reports)
    const ids = await this.#sendAll(waiting)
    const appId = await this.#until('the app', (sender) => findApp(sender, app.bundleIdentifier))
    const zip = zipOfImages(app, compiled)
    await this.#until('the dSYMs to be indexed', (sender) => uploadDsyms(sender, zip))
    await this.#killSome(appId, 'WAITING_FOR_SYMBOLS', 1_500)
    await this.#untilAllNamed(app, appId, ids)
    // From now on no pass over the waiting reports names one whose own effect was lost.
    const [later] = await Promise.all([
      this.#sendAll(files.slice(request.reports)),
      this.#killSome(appId, 'RECEIVED', 300),
    ])
    ids.push(...later)
    this.reports += ids.length
    await this.#untilAllNamed(app, appId, ids)
    await this.#compareNames(ids, files, expected)
    await this.#untilCounted(app, appId, ids.length)
  }

  /** The groups count each report once, in a moment: the messages to them follow the report. */
  async #untilCounted(app: AppOfImages, appId: string, reports: number): Promise<void> {
    let counted = -1
    for (const endsAt = Date.now() + mostMs; Date.now() < endsAt; await sleep(200)) {
      const counts = await this.#until('the groups', (sender) => countInGroups(sender, appId))
      counted = counts.reduce((sum, count) => sum + count, 0)
      if (counted === reports) return
    }
    this.#problems.push(`${app.bundleIdentifier}: the groups count ${counted} reports, and ${reports} are stored`)
  }

  /** A request whose answer was lost is repeated, as clients do. */
  async #sendAll(files: readonly CrashFile[]): Promise<string[]> {
    const ids: string[] = []
    const left = [...files.entries()]
    const sendNext = async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const [index, { text }] = next
        ids[index] = await this.#until('a report to be received', (sender) => sendCrashFile(sender, text))
      }
    }
    await Promise.all(Array.from({ length: 4 }, sendNext))
    return ids
  }

  /** Kills some servers, each at a random moment after reports of the app have the status. */
  async #killSome(appId: string, status: KillStatus, withinMs: number): Promise<void> {
    for (let left = this.#random.between(1, 2); left > 0 && this.kills < this.#parts.request.kills; left--) {
      const name = this.#random.pick([...this.#parts.servers.keys()])
      await sleep(this.#random.below(withinMs))
      if (!(await this.#isAnyInStatus(appId, status))) return
      this.#killsByStatus[status]++
      this.kills++
      await this.#parts.servers.get(name)?.kill()
      this.#parts.servers.set(name, await this.#parts.shared.start(name))
    }
  }

  /** @returns false if no report has the status for some seconds */
  async #isAnyInStatus(appId: string, status: KillStatus): Promise<boolean> {
    for (const endsAt = Date.now() + mostPauseMs; Date.now() < endsAt; ) {
      const counts = await this.#until('the number of reports', (sender) => countByStatus(sender, appId))
      if ((counts.get(status) ?? 0) > 0) return true
    }
    return false
  }

  async #untilAllNamed(app: AppOfImages, appId: string, ids: readonly string[]): Promise<void> {
    const distinct = new Set(ids).size
    if (distinct !== ids.length)
      this.#problems.push(`${app.bundleIdentifier}: ${ids.length - distinct} reports share an ID`)
    for (const endsAt = Date.now() + mostMs; ; ) {
      const counts = await this.#until('the number of reports', (sender) => countByStatus(sender, appId))
      // The statuses are counted one after another, so only the numbers after the last change are right.
      const named = counts.get('SYMBOLICATED') ?? 0
      const stored = [...counts.values()].reduce((sum, count) => sum + count, 0)
      if (named >= ids.length) {
        if (stored !== ids.length)
          this.#problems.push(`${app.bundleIdentifier}: ${ids.length} reports were acknowledged, ${stored} are stored`)
        return
      }
      if (Date.now() > endsAt) {
        const statuses = JSON.stringify([...counts].filter(([, count]) => count > 0))
        this.#problems.push(
          `${app.bundleIdentifier}: not all reports are SYMBOLICATED after ${mostMs / 1_000} s: ${statuses}`,
        )
        return
      }
      await sleep(200)
    }
  }

  async #compareNames(
    ids: readonly string[],
    files: readonly CrashFile[],
    expected: readonly (readonly string[])[],
  ): Promise<void> {
    for (const [index, names] of namesByReport(files, expected).entries()) {
      const id = ids[index] ?? ''
      const found = await this.#until('the names of a report', (sender) => readSymbols(sender, id))
      if (found.join() !== names.join())
        this.#problems.push(`${id}: the names of its frames are not those of llvm-symbolizer`)
    }
  }

  /** Asks any server until one answers as it should. */
  async #until<T>(what: string, ask: (sender: { url: string; key: string }) => Promise<T>): Promise<T> {
    const { servers, key } = this.#parts
    for (const endsAt = Date.now() + mostMs; ; ) {
      const { url } = this.#choice.pick([...servers.values()])
      try {
        return await ask({ url, key })
      } catch (error) {
        if (Date.now() > endsAt) throw new Error(`waited ${mostMs / 1_000} s for ${what}: ${error}`)
        await sleep(100)
      }
    }
  }
}
