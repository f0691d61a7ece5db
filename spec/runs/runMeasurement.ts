/**
 * The values of one run that the insights count: its times, its end and its usage. They are written in the commit of the transition that
 * starts the run, and of the one that ends it.
 */
import type { RunUsage } from './usageTotals.ts'

export type EndedRunStatus = 'SUCCEEDED' | 'FAILED' | 'CANCELED' | 'TIMED_OUT' | 'LOST' | 'SKIPPED'

/** Times are milliseconds since 1970. */
export interface RunMeasurement {
  readonly runId: string
  readonly agentId: string
  /** The canonical name of the repository when the run was created. Null if the codebase had no remote. */
  readonly repository: string | null
  readonly kind: 'PLAN' | 'SESSION' | 'WORKFLOW'
  readonly queuedAt: number | null
  readonly admittedAt: number | null
  readonly startedAt: number | null
  /** Not before `startedAt`, whatever the clocks of the processes show. */
  readonly endedAt: number | null
  /** Null until the end. */
  readonly status: EndedRunStatus | null
  /** Null if the coding CLI did not report it. */
  readonly usage: RunUsage | null
}
