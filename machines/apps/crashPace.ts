/** The rate at which the reports of a group come, from which a spike is recognized. */

export type Pace = {
  /** The latest hour in which a report was received, in hours since 1970. */
  readonly hour: number
  /** The reports of that hour. */
  readonly count: number
  /** The usual number of reports in an hour: an average of the hours before, in which those of the last day weigh most. */
  readonly usual: number
}

export const calm: Pace = Object.freeze({ hour: 0, count: 0, usual: 0 })

const hourMs = 3_600_000
/** The weight of each new hour in the average. */
const weight = 1 / 24
/** The smallest number of reports in an hour that can be a spike. */
const spikeMin = 25
/** A spike has at least this many times the usual number of reports in an hour. */
const spikeFactor = 5

/**
 * Whether a report has been received in this hour or in the one before. One that was received earlier has moved from another group, or has waited for
 * its names.
 */
export const isRecent = (receivedAt: number, at: number): boolean =>
  Math.floor(receivedAt / hourMs) >= Math.floor(at / hourMs) - 1

/**
 * Returns the pace after one more recent report.
 * @param receivedAt milliseconds since 1970. A report of an hour before the latest one does not count
 */
export function paceAfter(pace: Pace, receivedAt: number): Pace {
  const hour = Math.floor(receivedAt / hourMs)
  if (hour < pace.hour) return pace
  if (hour === pace.hour) return { ...pace, count: pace.count + 1 }
  const withLast = pace.usual + (pace.count - pace.usual) * weight
  const silent = (1 - weight) ** (hour - pace.hour - 1)
  return { hour, count: 1, usual: Math.round(withLast * silent * 1_000) / 1_000 }
}

export function isSpike({ count, usual }: Pace): boolean {
  return count >= Math.max(spikeMin, spikeFactor * usual)
}
