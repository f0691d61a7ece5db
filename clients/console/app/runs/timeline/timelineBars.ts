/** The bars of a timeline: when a run, a step or a child run waited in a queue, worked, and waited for people. */

export type SegmentType = 'QUEUE' | 'WORK' | 'PEOPLE'

/** Times are milliseconds since 1970. */
export interface Segment {
  readonly type: SegmentType
  readonly from: number
  readonly to: number
}

export interface Bar {
  readonly id: string
  readonly title: string
  readonly status: string
  /** Undefined for a bar without a page of its own. */
  readonly href: string | undefined
  readonly segments: readonly Segment[]
}

interface StatusChange {
  readonly at: string
  readonly status: string
}

const typesByStatus: Readonly<Record<string, SegmentType>> = {
  QUEUED: 'QUEUE',
  WAITING_FOR_INPUT: 'PEOPLE',
  WAITING_FOR_APPROVAL: 'PEOPLE',
  PAUSED: 'PEOPLE',
}

/** @param end the end of the last segment: now, or the end of the run */
export function readSegments(changes: readonly StatusChange[], end: number): readonly Segment[] {
  const segments: Segment[] = []
  for (const [index, { at, status }] of changes.entries()) {
    const next = changes[index + 1]
    const segment: Segment = {
      type: typesByStatus[status] ?? 'WORK',
      from: Date.parse(at),
      to: Math.min(end, next === undefined ? end : Date.parse(next.at)),
    }
    const last = segments.at(-1)
    if (segment.to <= segment.from) continue
    if (last?.type === segment.type) segments[segments.length - 1] = { ...last, to: segment.to }
    else segments.push(segment)
  }
  return segments
}

interface RunTimes {
  readonly queuedAt: string | null
  readonly admittedAt: string | null
  readonly endedAt: string | null
}

/** The segments of a run whose journal is not read: its waits for people are not known. */
export function readRunSegments({ queuedAt, admittedAt, endedAt }: RunTimes, now: number): readonly Segment[] {
  if (queuedAt === null) return []
  const end = endedAt ?? new Date(now).toISOString()
  const changes = [{ at: queuedAt, status: 'QUEUED' }]
  if (admittedAt !== null) changes.push({ at: admittedAt, status: 'RUNNING' })
  return readSegments(changes, Date.parse(end))
}

interface StepTimes {
  readonly kind: string
  readonly startedAt: string | null
  readonly endedAt: string | null
}

export function readStepSegments({ kind, startedAt, endedAt }: StepTimes, now: number): readonly Segment[] {
  if (startedAt === null) return []
  const status = kind === 'APPROVAL' ? 'WAITING_FOR_APPROVAL' : 'RUNNING'
  return readSegments([{ at: startedAt, status }], endedAt === null ? now : Date.parse(endedAt))
}

/** @returns the time from the first to the last moment of all bars. At least one millisecond, so that it can divide */
export function measureSpan(bars: readonly Bar[]): { readonly from: number; readonly ms: number } {
  const segments = bars.flatMap((bar) => bar.segments)
  if (segments.length === 0) return { from: 0, ms: 1 }
  const from = Math.min(...segments.map((segment) => segment.from))
  const to = Math.max(...segments.map((segment) => segment.to))
  return { from, ms: Math.max(1, to - from) }
}
