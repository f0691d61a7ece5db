/**
 * Schedules in six zones on processes that are killed: between and within the calls of their storage, one of two or both at once, for outages
 * that are shorter and longer than the catch-up windows. The clock leaps from event to event.
 */

import type { ScheduleContext } from '../../../machines/work/schedule.ts'
import { nextScheduled, type ScheduleContent } from '../../../machines/work/scheduleTimes.ts'
import type { ActorRow } from '../../../spec/core/actor.ts'
import { ManualClock, settled } from '../../kit/runtime/manualClock.ts'
import { openMemoryStorage } from '../../kit/runtime/memory/memory.ts'
import { MemoryState } from '../../kit/runtime/memory/state.ts'
import { everyMinuteTimes } from '../../kit/runtime/workflows/everyMinuteTimes.ts'
import { Life, mortalClock, mortalStorage } from '../../kit/runtime/workflows/mortalProcess.ts'
import { startWorkflowProcess, type WorkflowProcess } from '../../kit/runtime/workflows/workflowProcess.ts'
import { Random } from '../soak/random.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/**
 * Each has times in the gap and in the overlap of its zone, if the zone has them. The windows are longer than the seconds that the successor of
 * a killed process needs.
 */
const plans = [
  { timeZone: 'America/New_York', cron: '30 1,2,12 * * *', jitterSeconds: 0, catchUpWindowSeconds: 3_600 },
  { timeZone: 'Europe/Berlin', cron: '0,30 2,3 * * *', jitterSeconds: 600, catchUpWindowSeconds: 6 * 3_600 },
  { timeZone: 'Australia/Lord_Howe', cron: '*/15 2 * * *', jitterSeconds: 3_600, catchUpWindowSeconds: 86_400 },
  { timeZone: 'Africa/Cairo', cron: '0 0,12 * * *', jitterSeconds: 0, catchUpWindowSeconds: 900 },
  { timeZone: 'Asia/Tokyo', cron: '0 9 1,15 * 1', jitterSeconds: 60, catchUpWindowSeconds: 365 * 86_400 },
  { timeZone: 'America/St_Johns', cron: '30 1,2 * * *', jitterSeconds: 900, catchUpWindowSeconds: 7_200 },
] as const

export interface SimulationOptions {
  readonly seed: number
  /** Milliseconds since 1970. */
  readonly from: number
  readonly days: number
}

/** How often each case occurred. */
export interface SimulationTally {
  firings: number
  missed: number
  kills: number
  killsWithinCalls: number
  shortOutages: number
  longOutages: number
  lateFirings: number
}

interface Outage {
  readonly from: number
  readonly to: number
}

interface Scheduled {
  readonly id: string
  readonly workflowId: string
  readonly content: ScheduleContent
}

interface MortalProcess {
  readonly life: Life
  readonly process: WorkflowProcess
  /** Its storage no longer receives hints. */
  readonly close: () => void
}

export async function simulateSchedules({ seed, from, days }: SimulationOptions): Promise<SimulationTally> {
  const world = new ScheduleWorld(new Random(seed), from)
  await world.prepare()
  await world.runUntil(from + days * day)
  const tally = await world.check()
  await world.end()
  return tally
}

class ScheduleWorld {
  readonly #random: Random
  readonly #clock: ManualClock
  readonly #state = new MemoryState()
  readonly #processes: MortalProcess[] = []
  readonly #scheduled: Scheduled[] = []
  readonly #outages: Outage[] = []
  readonly #tally: SimulationTally = {
    ...{ firings: 0, missed: 0, kills: 0, killsWithinCalls: 0, shortOutages: 0, longOutages: 0, lateFirings: 0 },
  }
  #started = 0

  constructor(random: Random, from: number) {
    this.#random = random
    this.#clock = new ManualClock(from)
  }

  async prepare(): Promise<void> {
    for (let count = 0; count < 2; count++) this.#start()
    const { process } = this.#any()
    const { worktree } = await process.newWorktree()
    for (const plan of plans) {
      // Each run but the first one is skipped, which is the least work for each firing.
      const workflowId = await process.newWorkflow({ name: plan.timeZone, overlapPolicy: 'SKIP' })
      const input = { name: plan.timeZone, workflowId, worktreeId: worktree.id, ...plan }
      const { schedule } = await process.execute<{ schedule: { id: string } }>('createSchedule', input)
      const row = await this.#rowOf(schedule.id)
      this.#scheduled.push({ id: schedule.id, workflowId, content: contextOf(row).content })
    }
  }

  async runUntil(end: number): Promise<void> {
    while (this.#clock.now() < end) {
      const due = await this.#nextDue()
      const target = Math.min(end, Math.max(due, this.#clock.now() + 1))
      const drawn = this.#random.below(100)
      if (drawn < 3) await this.#outage(target)
      else {
        if (drawn < 15) this.#planKill()
        await this.#clock.leap(target - this.#clock.now())
        await this.#quiet()
      }
    }
    await this.#quiet()
  }

  /** Compares the firings with the times that a search of every minute finds. @throws Error */
  async check(): Promise<SimulationTally> {
    // The last outage may have ended later than the simulation was to end.
    for (const one of this.#scheduled) await this.#checkOne(one, this.#clock.now())
    return this.#tally
  }

  async end(): Promise<void> {
    for (const { life, process } of this.#processes) {
      await process.system.stop(10)
      life.end()
    }
  }

  async #checkOne({ id, workflowId, content }: Scheduled, end: number): Promise<void> {
    const row = await this.#rowOf(id)
    const first = row.createdAt
    const expected: number[] = []
    let missed = 0
    let uncertain = 0
    for (const scheduledAt of everyMinuteTimes(content.cron, content.timeZone, first, end)) {
      const { dueAt = scheduledAt } = nextScheduled(id, content, scheduledAt - 1) ?? {}
      if (dueAt > this.#clock.now() - minute) continue
      const lateMs = this.#lateness(dueAt)
      const windowMs = content.catchUpWindowSeconds * 1_000
      // Restarts and retries take some seconds, so an outage that ends at the edge of the window may go either way.
      if (Math.abs(lateMs - windowMs) < 120_000 && lateMs > 0) uncertain++
      else if (lateMs > windowMs) missed++
      else expected.push(scheduledAt)
      if (lateMs > minute && lateMs <= windowMs) this.#tally.lateFirings++
    }
    const history = await this.#historyOf(id)
    const answered = history
      .filter(({ event }) => event === 'requestAnswered')
      .map(({ payload }) => payload as unknown as Answered)
    const fired = answered.map(({ request }) => request.scheduledAt)
    const runs = await this.#runIdsOf(workflowId)
    assertSame(`runs of ${id}`, answered.map(({ answer }) => answer.run.id).sort(), [...runs].sort())
    if (new Set(fired).size !== fired.length) throw new Error(`${id} fired twice for one time`)
    for (let index = 1; index < fired.length; index++)
      if ((fired[index] ?? 0) <= (fired[index - 1] ?? 0)) throw new Error(`${id} fired out of order at ${fired[index]}`)
    const wanted = new Set(expected)
    const isPast = (time: number) => time <= (expected.at(-1) ?? 0)
    const lacking = expected.filter((time) => !fired.includes(time))
    const surplus = fired.filter((time) => isPast(time) && !wanted.has(time)).length
    if (lacking.length > 0) throw new Error(`${id} did not fire ${lacking.map(toIso).join(', ')}`)
    if (surplus > uncertain) throw new Error(`${id} fired ${surplus} times too many, and ${uncertain} were uncertain`)
    const { missed: counted } = contextOf(row)
    if (counted < missed || counted > missed + uncertain)
      throw new Error(`${id} counted ${counted} missed times, expected ${missed} to ${missed + uncertain}`)
    this.#tally.firings += fired.length
    this.#tally.missed += counted
  }

  /** The milliseconds for which no process could fire a time that was due. */
  #lateness(dueAt: number): number {
    const outage = this.#outages.find(({ from, to }) => dueAt >= from - 5_000 && dueAt < to)
    return outage === undefined ? 0 : outage.to - dueAt
  }

  #start(): void {
    const life = new Life()
    const owner = `process ${++this.#started}`
    const inner = openMemoryStorage({ owner, state: this.#state })
    const storage = mortalStorage(inner, life)
    const process = startWorkflowProcess({
      clock: mortalClock(this.#clock, life) as ManualClock,
      owner,
      storage,
      shared: true,
    })
    this.#processes.push({ life, process, close: () => void inner.close() })
  }

  #any(): MortalProcess {
    const found = this.#processes.find(({ life }) => !life.isOver)
    if (found === undefined) throw new Error('no process is running')
    return found
  }

  /** One of the processes ends within one of its next calls. */
  #planKill(): void {
    const { life } = this.#random.pick(this.#processes)
    life.endAfterCalls(this.#random.below(80), this.#random.below(2) === 0)
  }

  async #outage(target: number): Promise<void> {
    await this.#clock.leap(Math.max(1, target - this.#clock.now() - this.#random.below(3_000)))
    for (let turn = this.#random.below(40); turn > 0; turn--) await new Promise((resolve) => setImmediate(resolve))
    for (const { life, close } of this.#processes.splice(0)) {
      life.end()
      close()
    }
    this.#tally.kills += 2
    const isLong = this.#random.below(3) === 0
    const lasts = isLong ? day + this.#random.below(3 * day) : minute + this.#random.below(3 * hour)
    this.#tally[isLong ? 'longOutages' : 'shortOutages']++
    const from = this.#clock.now()
    await this.#clock.leap(lasts)
    this.#outages.push({ from, to: this.#clock.now() })
    for (let count = 0; count < 2; count++) this.#start()
    await this.#quiet()
  }

  /** Replaces processes that have ended, and waits until every due time was handled. */
  async #quiet(): Promise<void> {
    for (let round = 0; round < 500; round++) {
      await settled()
      this.#replaceDead()
      if (await this.#isQuiet()) return
      // Retries, and the claims of dead processes, need some seconds.
      if (round % 3 === 2) await this.#clock.leap(1_000)
    }
    throw new Error(`the schedules do not come to rest at ${toIso(this.#clock.now())}`)
  }

  #replaceDead(): void {
    const dead = this.#processes.filter(({ life }) => life.isOver)
    if (dead.length === 0) return
    this.#processes.splice(0, this.#processes.length, ...this.#processes.filter(({ life }) => !life.isOver))
    for (const { close } of dead) close()
    this.#tally.kills += dead.length
    this.#tally.killsWithinCalls += dead.length
    while (this.#processes.length < 2) this.#start()
  }

  async #isQuiet(): Promise<boolean> {
    const contexts = (await Promise.all(this.#scheduled.map(({ id }) => this.#rowOf(id)))).map(contextOf)
    const now = this.#clock.now()
    return contexts.every(({ requested, next }) => requested === null && (next === null || next.dueAt > now))
  }

  async #nextDue(): Promise<number> {
    const contexts = (await Promise.all(this.#scheduled.map(({ id }) => this.#rowOf(id)))).map(contextOf)
    return Math.min(...contexts.map(({ next }) => next?.dueAt ?? Number.POSITIVE_INFINITY))
  }

  /** Reads past the processes, which may be dead. */
  readonly #reader = openMemoryStorage({ owner: 'reader', state: this.#state })

  async #rowOf(id: string): Promise<ActorRow> {
    const row = await this.#reader.views.get('schedule', id)
    if (row === undefined) throw new Error(`there is no schedule ${id}`)
    return row
  }

  async #historyOf(id: string) {
    return await this.#reader.views.history({ id, limit: 100_000 })
  }

  async #runIdsOf(workflowId: string): Promise<readonly string[]> {
    const ids: string[] = []
    for (let after: { id: string } | undefined; ; ) {
      const page = await this.#reader.views.list({
        ...({ kind: 'run', where: { scopeId: workflowId }, limit: 1_000 } as const),
        ...(after && { after }),
      })
      ids.push(...page.map(({ id }) => id))
      after = page.at(-1)
      if (page.length < 1_000) return ids
    }
  }
}

interface Answered {
  readonly request: { readonly scheduledAt: number }
  readonly answer: { readonly run: { readonly id: string } }
}

const contextOf = ({ context }: ActorRow): ScheduleContext => context as unknown as ScheduleContext
const toIso = (ms: number): string => new Date(ms).toISOString()

function assertSame(what: string, seen: readonly string[], expected: readonly string[]): void {
  if (JSON.stringify(seen) !== JSON.stringify(expected))
    throw new Error(`${what}: ${seen.length} were answered, and ${expected.length} exist`)
}
