/**
 * The aims of recovery. Within 10 s of a fault every request is answered, and during an outage of the database `/ready` returns
 * 503. Within 5 s after a fresh client can commit again, every kind of work is acknowledged and `/ready` returns 200.
 */
import { patienceMs, type Request, type Surface } from '../load/requests.ts'
import type { Checker, Evidence, InjectedFault } from './evidence.ts'

export const aims = { answeredMs: 10_000, recoveredMs: 5_000 }
/** The delay that the harness itself may cause on a busy machine. */
const slackMs = 1_000
/** A process that reports itself ready acknowledges a request within this time. */
const truthMs = 2_500
/** How much later than its clients a busy harness may detect that a process has ended. */
const noticedMs = 2_000

const surfaces: readonly Surface[] = ['create', 'save', 'telemetry', 'tool', 'log']

/** Milliseconds from the time when work could continue until each kind of work was acknowledged and the process reported itself ready. */
export function recoveryMs(fault: InjectedFault, { requests, ready }: Pick<Evidence, 'requests' | 'ready'>): number {
  const from = fault.healedAt
  const acknowledged = since(requests.all, from - patienceMs, ({ sentAt }) => sentAt).filter(
    ({ outcome, endedAt }) => outcome === 'acknowledged' && endedAt >= from,
  )
  const asked = since(ready, from, ({ answeredAt }) => answeredAt).filter(
    ({ status, askedAt }) => status === 200 && askedAt >= from,
  )
  const moments = fault.instances.flatMap((instance) => [
    asked.find((one) => one.instance === instance)?.askedAt,
    ...surfaces.map((surface) => firstOf(acknowledged, instance, surface)),
  ])
  if (fault.noticedAt !== undefined) moments.push(fault.noticedAt)
  return Math.max(0, ...moments.map((at) => (at ?? Number.POSITIVE_INFINITY) - from))
}

function firstOf(acknowledged: readonly Request[], instance: number, surface: Surface): number | undefined {
  const ends = acknowledged.filter((one) => one.instance === instance && one.surface === surface)
  return ends.length === 0 ? undefined : Math.min(...ends.map(({ endedAt }) => endedAt))
}

/** The end of a list that is ordered by time. The search begins at the end, since a slice has a hundred thousand requests. */
function since<T>(list: readonly T[], from: number, timeOf: (item: T) => number): readonly T[] {
  let first = list.length
  while (first > 0 && timeOf(list[first - 1] as T) >= from) first--
  return list.slice(first)
}

export const recoversInTime: Checker = (evidence) =>
  evidence.faults.flatMap((fault) => {
    // The slice ended before the aim's time was over.
    if (fault.overtaken || fault.healedAt > evidence.loadEndedAt - aims.recoveredMs * evidence.patience) return []
    const ms = recoveryMs(fault, evidence)
    if (ms <= aims.recoveredMs * evidence.patience + slackMs) return []
    const late = Number.isFinite(ms) ? `${Math.round(ms)} ms` : 'never until the end of the slice'
    return [`after ${describe(fault)} work continued too late: ${late}${missing(fault, evidence)}`]
  })

/** Checks every request, whenever it was sent. A violation is reported with the last fault that had begun by then. */
export const answersInTime: Checker = (evidence) => {
  const { requests, faults, loadEndedAt } = evidence
  const found = new Map<string, Request[]>()
  for (const one of requests.all) {
    // The end of the load cut these off, so they have no answer.
    const what = one.endedAt >= loadEndedAt && one.outcome === 'broken' ? undefined : wrongWith(one, evidence)
    if (what === undefined) continue
    const fault = faults.findLast(
      ({ instances, startedAt }) => instances.includes(one.instance) && startedAt <= one.endedAt,
    )
    const key = `${fault === undefined ? 'before any fault' : `since ${describe(fault)}`} requests ${what}`
    found.set(key, [...(found.get(key) ?? []), one])
  }
  return [...found].map(([what, all]) => `${what}: ${counted(all)}`)
}

function wrongWith(one: Request, evidence: Evidence): string | undefined {
  const suspended = evidence.faults.filter(
    ({ kind, instances, startedAt, endedAt }) =>
      kind === 'suspended-process' &&
      instances.includes(one.instance) &&
      one.endedAt >= startedAt &&
      one.sentAt <= endedAt,
  )
  // A suspended process answers when it continues.
  const from = Math.max(one.sentAt, ...suspended.map(({ endedAt }) => endedAt))
  const answeredMs = aims.answeredMs * evidence.patience
  if (Math.min(one.endedAt, evidence.loadEndedAt) - from > answeredMs + slackMs) {
    return `had no answer within ${answeredMs} ms`
  }
  if (one.outcome === 'refused' && one.surface !== 'refused') return 'were refused with another code than UNAVAILABLE'
  const broken = one.outcome === 'broken' && suspended.length === 0 && !ended(one, evidence)
  return broken ? 'lost their connection before the answer' : undefined
}

/** During an outage, readiness is a violation unless a request is acknowledged at about that time. */
export const readyIsTrue: Checker = (evidence) =>
  evidence.faults.flatMap((fault) => {
    if (!fault.outage || fault.endedAt - fault.startedAt < 2_000) return []
    const problems: string[] = []
    for (const instance of fault.instances) {
      const acknowledged = evidence.requests.all
        .filter((one) => one.instance === instance && one.outcome === 'acknowledged' && one.endedAt <= fault.endedAt)
        .map(({ endedAt }) => endedAt)
      const asked = evidence.ready.filter(
        (one) => one.instance === instance && one.askedAt >= fault.startedAt && one.answeredAt <= fault.endedAt,
      )
      const late = asked.filter(({ askedAt }) => askedAt >= fault.startedAt + aims.answeredMs * evidence.patience)
      const lies = late.filter(
        ({ status, askedAt }) =>
          status === 200 && !acknowledged.some((at) => Math.abs(at - askedAt) <= truthMs * evidence.patience),
      )
      if (lies.length > 0)
        problems.push(
          `during ${describe(fault)} process ${instance} reported in ${lies.length} of ${late.length} answers that it is ready, and nothing was acknowledged`,
        )
    }
    return problems
  })

/** The processes that a fault does not affect continue while it lasts. */
export const othersGoOn: Checker = (evidence) =>
  evidence.faults.flatMap((fault) => {
    const others = evidence.lives.map((_, index) => index).filter((instance) => !fault.instances.includes(instance))
    return others.flatMap((instance) =>
      surfaces.flatMap((surface) => {
        const acknowledged = evidence.requests.all.filter(
          (one) => one.instance === instance && one.surface === surface && one.outcome === 'acknowledged',
        )
        const during = acknowledged
          .map(({ endedAt }) => endedAt)
          .filter((at) => at > fault.startedAt && at < fault.endedAt)
        const gap = longestGap([fault.startedAt, ...during.sort((a, b) => a - b), fault.endedAt])
        if (gap <= aims.recoveredMs * evidence.patience + slackMs) return []
        return [`during ${describe(fault)} process ${instance} acknowledged no ${surface} for ${Math.round(gap)} ms`]
      }),
    )
  })

function longestGap(times: readonly number[]): number {
  return times.reduce((longest, time, index) => Math.max(longest, time - (times[index - 1] ?? time)), 0)
}

/** Its process ended and closed the connections of its clients. An agent's client also gives up a socket by itself. */
function ended(one: Request, { lives }: Evidence): boolean {
  if (one.surface === 'log') return true
  const { ends = [], starts = [] } = lives[one.instance] ?? {}
  return ends.some((end) => {
    const back = starts.find((start) => start > end) ?? Number.POSITIVE_INFINITY
    return one.endedAt >= end - noticedMs && one.sentAt <= back
  })
}

function describe({ kind, detail, startedAt }: InjectedFault): string {
  return `${kind} (${detail}) at ${(startedAt / 1_000).toFixed(1)} s`
}

function counted(requests: readonly Request[]): string {
  const counts = new Map<string, number>()
  for (const { surface, instance, outcome, code } of requests) {
    const key = `${surface} at ${instance} ${outcome} ${code ?? ''}`.trim()
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const longest = Math.max(...requests.map(({ sentAt, endedAt }) => endedAt - sentAt))
  const took = Number.isFinite(longest) ? `took ${Math.round(longest)} ms` : 'has not ended'
  return `${[...counts].map(([key, n]) => `${n} × ${key}`).join('; ')}; the longest ${took}`
}

function missing(fault: InjectedFault, { requests, patience }: Evidence): string {
  const late = fault.instances.flatMap((instance) =>
    surfaces.flatMap((surface) => {
      const first = requests.all.find(
        (one) =>
          one.instance === instance &&
          one.surface === surface &&
          one.outcome === 'acknowledged' &&
          one.endedAt >= fault.healedAt,
      )
      const ms = first === undefined ? undefined : Math.round(first.endedAt - fault.healedAt)
      if (ms !== undefined && ms <= aims.recoveredMs * patience) return []
      return [`${surface} at ${instance} ${ms === undefined ? 'never' : `after ${ms} ms`}`]
    }),
  )
  if (late.length > 0) return ` (late: ${late.join(', ')})`
  return fault.noticedAt === undefined ? ' (late: /ready)' : ' (late: /ready, or the content of the lost notification)'
}
