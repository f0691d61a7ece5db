import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import type { Uplink } from '../connection/uplink.ts'
import { ConnectionLost, messageOf } from '../failures.ts'
import type { Logger } from '../log.ts'
import { type CodebaseReport, reportCodebases } from '../operations.ts'
import { readJson, writeJson } from '../system/files.ts'
import { coalesce, sleep } from '../wait.ts'
import { discoverRepositories, fingerprint } from './discover.ts'
import { missing, observe } from './observe.ts'
import { isReportable, MessageFiller, partsOf } from './parts.ts'

/** Milliseconds between cheap checks for changes, and between full reports. */
const lookMs = 10_000
const fullMs = 5 * 60_000
/**
 * A full report runs git in every repository, about 20 ms each. On a machine with thousands of repositories full reports are less
 * frequent, so that they take at most a tenth of the time.
 */
const fullReportShare = 10
/** Milliseconds for which a removed repository is still reported as missing. */
const keepMissingMs = 7 * 24 * 3_600_000

const Known = v.array(v.object({ path: v.string(), missingSince: v.optional(v.number()) }))

/** Reports this machine's repositories to the control plane: all at the start of a connection, then the changes. */
export class CodebaseReporter {
  private readonly options: { roots: readonly string[]; stateFolder: string; uplink: Uplink; log: Logger }
  private readonly prints = new Map<string, string>()
  private readonly unreportable = new Set<string>()
  private known = new Map<string, { missingSince: number | undefined }>()
  private readonly closing: AbortSignal
  private fullDueAt = 0

  /** Checks now and reports changes. A call during a check starts another one after it. */
  readonly look: () => Promise<void>

  constructor(options: CodebaseReporter['options'], closing: AbortSignal) {
    this.options = options
    this.closing = closing
    this.look = coalesce(() => this.lookOnce())
  }

  async run(): Promise<void> {
    this.options.uplink.onSession(() => {
      // After a reconnect, the control plane may not have the last report.
      this.fullDueAt = 0
      void this.look()
    })
    await this.remember()
    while (!this.closing.aborted) {
      if (this.options.uplink.session) await this.look()
      await sleep(lookMs, this.closing)
    }
  }

  private async lookOnce(): Promise<void> {
    try {
      const begin = performance.now()
      const full = begin >= this.fullDueAt || (await this.rootsChanged())
      if (full) await this.discover()
      const filler = new MessageFiller((codebases) => this.send(codebases))
      for (const path of await this.changed(full)) {
        const report = await this.report(path)
        const worktrees = report.worktrees.filter((worktree) => this.canReport(worktree.path))
        for (const part of partsOf({ ...report, worktrees })) await filler.add(part)
      }
      await filler.flush()
      if (full) this.fullDueAt = performance.now() + Math.max(fullMs, fullReportShare * (performance.now() - begin))
    } catch (error) {
      if (error instanceof ConnectionLost) return
      // The reports that were not received are sent again at the next check.
      this.fullDueAt = 0
      this.options.log.warn('The repositories could not be reported.', { reason: messageOf(error) })
    }
  }

  /** If one path is not accepted, the control plane rejects the whole message, and each one after it. So the path is not sent. */
  private canReport(path: string): boolean {
    if (isReportable(path)) return true
    if (!this.unreportable.has(path)) {
      this.unreportable.add(path)
      this.options.log.warn('path not reported', {
        path,
        reason: 'longer than 1,024 characters, or has control characters',
      })
    }
    return false
  }

  private async send(codebases: CodebaseReport[]): Promise<void> {
    const { refused } = await this.options.uplink.ask(reportCodebases, { codebases }, this.closing)
    for (const { path, code, message } of refused) {
      this.options.log.warn('codebase report refused', { path, code, reason: message })
    }
  }

  private async changed(full: boolean): Promise<string[]> {
    const changed: string[] = []
    for (const [path, { missingSince }] of this.known) {
      const print = missingSince === undefined ? await fingerprint(path) : 'missing'
      if (full || this.prints.get(path) !== print) changed.push(path)
      this.prints.set(path, print)
    }
    return changed
  }

  private async report(path: string): Promise<CodebaseReport> {
    const there = await stat(join(path, '.git')).catch(() => undefined)
    if (there) return observe(path)
    if (this.known.get(path)?.missingSince === undefined) this.known.set(path, { missingSince: Date.now() })
    return missing(path)
  }

  private async discover(): Promise<void> {
    const found = new Set(await discoverRepositories(this.options.roots))
    const known = new Map<string, { missingSince: number | undefined }>()
    for (const path of found) if (this.canReport(path)) known.set(path, { missingSince: undefined })
    for (const [path, { missingSince = Date.now() }] of this.known) {
      if (!found.has(path) && Date.now() - missingSince < keepMissingMs) known.set(path, { missingSince })
    }
    this.known = known
    const record = [...known].map(([path, { missingSince }]) => ({ path, missingSince }))
    await writeJson(this.file, record)
  }

  /** Loads the repositories of the last start, so that one that was removed while the agent was stopped is reported too. */
  private async remember(): Promise<void> {
    const parsed = v.safeParse(Known, await readJson(this.file).catch(() => undefined))
    if (!parsed.success) return
    for (const { path, missingSince } of parsed.output) this.known.set(path, { missingSince })
  }

  /** Usually, a new repository is a new folder in a root. */
  private async rootsChanged(): Promise<boolean> {
    let changed = false
    for (const root of this.options.roots) {
      const print = await stat(root).then(
        (found) => String(found.mtimeMs),
        () => '-',
      )
      changed ||= this.prints.get(`root ${root}`) !== print
      this.prints.set(`root ${root}`, print)
    }
    return changed
  }

  private get file(): string {
    return join(this.options.stateFolder, 'codebases.json')
  }
}
