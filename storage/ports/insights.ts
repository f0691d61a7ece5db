/** The figures of the runs of a time: counts, percentiles of times, machine use and usage. */
import type { EndedRunStatus, RunMeasurement } from '../../spec/runs/runMeasurement.ts'
import type { UsageTotals } from '../../spec/runs/usageTotals.ts'

export interface InsightsQuery {
  /** The bounds of the buckets in ascending order, at least two, milliseconds since 1970. The last one is exclusive. */
  readonly edges: readonly number[]
  /** The time up to which runs that have not ended have executed. */
  readonly now: number
  readonly agentId?: string
  /** A canonical name. */
  readonly repository?: string
  readonly kind?: RunMeasurement['kind']
}

/** In milliseconds, within 5 % of the exact value (nearest rank). Null if there was none. */
export interface Percentiles {
  readonly p50: number | null
  readonly p95: number | null
}

export interface RunFigures {
  readonly started: number
  readonly ended: Readonly<Record<EndedRunStatus, number>>
  /** Of the runs that ended. */
  readonly queueWaitMs: Percentiles
  readonly durationMs: Percentiles
  /** The sum of the times for which runs executed within the bucket, whether they have ended or not. */
  readonly busyMs: number
  /** Of the runs that ended. */
  readonly usage: UsageTotals
}

export interface AgentFigures {
  readonly agentId: string
  readonly ended: number
  readonly busyMs: number
}

export interface Insights {
  readonly buckets: readonly RunFigures[]
  /** Of all buckets together. */
  readonly total: RunFigures
  /** Of the time of the same length before the first bucket. */
  readonly previous: RunFigures
  /** The agents on whose machines runs executed for the longest time, longest first. Only `agentId` filters them. */
  readonly agents: readonly AgentFigures[]
}
