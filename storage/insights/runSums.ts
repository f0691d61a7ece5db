/** The sums of the runs of a bucket, from which its figures are made. */
import type { EndedRunStatus } from '../../spec/runs/runMeasurement.ts'
import { addTotals, noUsage, type UsageTotals } from '../../spec/runs/usageTotals.ts'
import type { RunFigures } from '../ports/insights.ts'
import { addPlaces, noTimes, type PlaceCounts, percentile } from './timeScale.ts'

export interface RunSums {
  readonly started: number
  readonly ended: Readonly<Record<EndedRunStatus, number>>
  readonly busyMs: number
  readonly usage: UsageTotals
  readonly waits: PlaceCounts
  readonly durations: PlaceCounts
}

export const noRuns: RunSums = {
  started: 0,
  ended: { SUCCEEDED: 0, FAILED: 0, CANCELED: 0, TIMED_OUT: 0, LOST: 0, SKIPPED: 0 },
  busyMs: 0,
  usage: noUsage,
  waits: noTimes,
  durations: noTimes,
}

export function addSums(sums: readonly RunSums[]): RunSums {
  const total = (of: (one: RunSums) => number): number => sums.reduce((sum, one) => sum + of(one), 0)
  return {
    started: total(({ started }) => started),
    ended: {
      SUCCEEDED: total(({ ended }) => ended.SUCCEEDED),
      FAILED: total(({ ended }) => ended.FAILED),
      CANCELED: total(({ ended }) => ended.CANCELED),
      TIMED_OUT: total(({ ended }) => ended.TIMED_OUT),
      LOST: total(({ ended }) => ended.LOST),
      SKIPPED: total(({ ended }) => ended.SKIPPED),
    },
    busyMs: total(({ busyMs }) => busyMs),
    usage: sums.reduce((sum, { usage }) => addTotals(sum, usage), noUsage),
    waits: addPlaces(sums.map(({ waits }) => waits)),
    durations: addPlaces(sums.map(({ durations }) => durations)),
  }
}

export function toFigures({ started, ended, busyMs, usage, waits, durations }: RunSums): RunFigures {
  const percentiles = (counts: PlaceCounts) => ({ p50: percentile(counts, 0.5), p95: percentile(counts, 0.95) })
  return { started, ended, busyMs, usage, queueWaitMs: percentiles(waits), durationMs: percentiles(durations) }
}
