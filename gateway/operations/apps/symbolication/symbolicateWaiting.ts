/**
 * Symbolicates the crash reports of an image whose symbols have changed: the newest first, one at a time, and some in each call. So an image
 * with a hundred thousand reports takes turns with the others, and reports that have just arrived do not wait for it.
 */

import type { Clock } from '../../../../actors/ports/clock.ts'
import type { Announcement, BinaryImageEvent } from '../../../../machines/apps/binaryImage.ts'
import { binaryImageMembers } from '../../../../machines/apps/binaryImageKeys.ts'
import type { Wanted } from '../../../../machines/apps/crashReport.ts'
import { crashReportMembers } from '../../../../machines/apps/crashReportKeys.ts'
import type { EventWithoutTime } from '../../../../machines/framework/act.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { Semaphore } from '../../../limits/semaphore.ts'
import type { System } from '../../../messages.ts'
import type { TypedViews } from '../../typedViews.ts'
import type { SymbolicationOutcome } from './symbolicateReport.ts'
import type { SymbolicationRuns } from './symbolicationRuns.ts'

export type AnnouncementOutcome = EventWithoutTime<
  Extract<BinaryImageEvent, { type: 'announced' | 'announcingDelayed' }>
>

export interface WaitingParts {
  readonly reports: Pick<SymbolicationRuns, 'symbolicate'>
  readonly views: Pick<TypedViews, 'getMany' | 'members' | 'lastMemberKeys'>
  readonly system: Pick<System, 'ask'>
  /** Called with each report that could not be symbolicated for a reason of its own. */
  readonly skipped: (report: { readonly crashId: string; readonly problem: string }) => void
  readonly clock: Clock
}

/**
 * The times for which a call waits for the images before it, and for a report, ms. With the time in which it begins reports, they are less than
 * the 30 s of the claim of an effect.
 */
const turnMs = 8_000
const reportMs = 10_000
/** Reports that one call symbolicates at most, and the time after which it begins no more, ms. */
const most = 50
const withinMs = 5_000
/**
 * After a report, the work rests for this many times the duration of that report. So it takes at most a third of the time, and other requests
 * are hardly slower meanwhile: `npm run bench:waiting` measures it.
 */
const restFactor = 2
/** A report that takes long keeps a thread of its own busy, and others need no rest from it. */
const mostRestMs = 500

/** One image at a time in this process. The others wait in the order in which they have asked, and ask again if that takes too long. */
export class WaitingReports {
  readonly #parts: WaitingParts
  readonly #turns = new Semaphore(1)

  constructor(parts: WaitingParts) {
    this.#parts = parts
  }

  async symbolicate(asked: Announcement): Promise<AnnouncementOutcome> {
    try {
      return await this.#inTurn(() => this.#symbolicate(asked))
    } catch (error) {
      if (isTemporary(error)) return { type: 'announcingDelayed', message: error.message }
      throw error
    }
  }

  async #inTurn(symbolicate: () => Promise<AnnouncementOutcome>): Promise<AnnouncementOutcome> {
    const late = Promise.withResolvers<AnnouncementOutcome>()
    const others = { type: 'announcingDelayed', message: 'The reports of other images come first.' } as const
    let isLate = false
    const cancel = this.#parts.clock.after(turnMs, () => {
      isLate = true
      late.resolve(others)
    })
    const turn = this.#turns.run(async () => {
      if (isLate) return others
      cancel()
      return await symbolicate()
    })
    return await Promise.race([turn, late.promise])
  }

  async #symbolicate({ imageId, uuid, revision, before }: Announcement): Promise<AnnouncementOutcome> {
    const { views, clock } = this.#parts
    const image = (await views.getMany('binaryImage', [imageId])).get(imageId)
    // The image ignores it. So an effect that an operator retries late ends here.
    if (image?.context.revision !== revision) return { type: 'announced', revision, downTo: before, isEnd: true }
    const { toKey, toId, prefix } = binaryImageMembers.crash
    const keys = await views.lastMemberKeys(imageId, prefix, before === null ? undefined : toKey(before), most)
    const ids = keys.map(toId)
    const rows = await views.getMany('crashReport', ids)
    const endsAt = clock.monotonic() + withinMs
    let downTo = before
    for (const id of ids) {
      if (downTo !== before && clock.monotonic() >= endsAt) break
      if (rows.get(id)?.columns.terminal === false && !(await this.#hasSymbols(id, uuid, revision))) {
        const from = clock.monotonic()
        const delay = await this.#symbolicateOne(id)
        if (delay !== undefined) return { type: 'announcingDelayed', message: delay }
        await this.#rest(restFactor * (clock.monotonic() - from))
      }
      downTo = id
    }
    const isEnd = ids.length < most && downTo === (ids.at(-1) ?? before)
    return { type: 'announced', revision, downTo, isEnd }
  }

  async #rest(ms: number): Promise<void> {
    await new Promise<void>((resolve) => this.#parts.clock.after(Math.min(ms, mostRestMs), resolve))
  }

  async #hasSymbols(crashId: string, uuid: string, revision: number): Promise<boolean> {
    const [member] = await this.#parts.views.members(crashId, crashReportMembers.image.toKey(uuid), 1)
    return member !== undefined && ((member.value as Wanted).used ?? 0) >= revision
  }

  /**
   * A report that fails for a reason of its own does not stop the others: it is asked to try again with an effect of its own.
   * @returns why it must be tried again later
   */
  async #symbolicateOne(crashId: string): Promise<string | undefined> {
    try {
      const event = await this.#parts.reports.symbolicate(crashId, reportMs)
      if (event.type === 'symbolicationDelayed') return event.message
      await this.#send(crashId, event)
    } catch (error) {
      await this.#skip(crashId, error)
    }
    return undefined
  }

  async #skip(crashId: string, reason: unknown): Promise<void> {
    if (isTemporary(reason)) throw reason
    const message = messageOf(reason)
    this.#parts.skipped({ crashId, problem: message })
    try {
      await this.#send(crashId, { type: 'symbolicationDelayed', message })
    } catch (error) {
      // An actor that cannot be processed is listed among the stuck ones.
      if (isTemporary(error)) throw error
      this.#parts.skipped({ crashId, problem: messageOf(error) })
    }
  }

  async #send(crashId: string, event: SymbolicationOutcome): Promise<void> {
    const { system, clock } = this.#parts
    const origin = { cause: 'effect', principal: 'system', requestId: 'symbols', receivedAt: clock.now() } as const
    try {
      await system.ask({ to: { kind: 'crashReport', id: crashId }, event }, origin)
    } catch (error) {
      // It has ended since its row was read.
      if (!(error instanceof Failure && error.code === 'FAILED_PRECONDITION')) throw error
    }
  }
}

function isTemporary(error: unknown): error is Failure {
  return error instanceof Failure && error.retryable
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
