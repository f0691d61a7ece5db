/** Reports the stored versions of skills to the control plane, and removes those that no new run needs. */
import { heldSkillsMax } from '../../../spec/work/skills/skillLimits.ts'
import type { Uplink } from '../connection/uplink.ts'
import { ConnectionLost, messageOf } from '../failures.ts'
import type { Logger } from '../log.ts'
import { reportAgentSkills } from '../operations.ts'
import { coalesce, sleep } from '../wait.ts'
import type { HeldVersion, SkillStore } from './skillStore.ts'

/** Milliseconds between two reports without a change, because only the control plane can tell that a version is no longer needed. */
const againMs = 10 * 60_000

export interface SkillReporterOptions {
  readonly store: SkillStore
  readonly uplink: Uplink
  readonly log: Logger
}

export class SkillReporter {
  /** Reports now. A call during a report starts another one after it. */
  readonly report: () => Promise<void>
  private readonly options: SkillReporterOptions
  private readonly closing: AbortSignal

  constructor(options: SkillReporterOptions, closing: AbortSignal) {
    this.options = options
    this.closing = closing
    this.report = coalesce(() => this.reportOnce())
    options.store.onChange = () => void this.report()
  }

  async run(): Promise<void> {
    this.options.uplink.onSession(() => void this.report())
    while (!this.closing.aborted) {
      await sleep(againMs, this.closing)
      if (this.options.uplink.session) await this.report()
    }
  }

  private async reportOnce(): Promise<void> {
    const { store, uplink, log } = this.options
    const held = store.list()
    if (!store.isUsed) return
    const skills = held.slice(-heldSkillsMax)
    if (skills.length < held.length) log.warn('skills not reported', { count: held.length - skills.length })
    try {
      const { outOfScope } = await uplink.ask(reportAgentSkills, { skills: skills.map(toInput) }, this.closing)
      await store.drop(outOfScope)
    } catch (error) {
      if (error instanceof ConnectionLost) return
      log.warn('The skills could not be reported.', { reason: messageOf(error) })
    }
  }
}

function toInput({ skillId, version, sha256, problem }: HeldVersion) {
  return { skillId, version, sha256, problem: problem ?? null }
}
