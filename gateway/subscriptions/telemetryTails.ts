/**
 * The latest telemetry of each kind. Records that this process has stored are announced here. Those of other processes are found by reading
 * every half second: a hint for each batch of anonymous senders would cost a commit on the whole database server.
 */
import type { Clock } from '../../actors/ports/clock.ts'
import { Failure } from '../../spec/core/failure.ts'
import type { TelemetryKind } from '../../spec/telemetry/record.ts'
import type { TelemetryStreamPosition, TelemetryStreamReader } from '../../storage/ports/telemetry.ts'
import { Tails } from './tails.ts'
import type { TelemetryArrivals } from './telemetryArrivals.ts'

const pageSize = 500
const idleMs = 500

interface TelemetryTailSources {
  readonly telemetry: TelemetryStreamReader
  readonly arrivals: TelemetryArrivals
  readonly clock: Clock
}

export class TelemetryTails extends Tails<TelemetryKind, TelemetryStreamPosition> {
  constructor({ telemetry, arrivals, clock }: TelemetryTailSources) {
    super(
      {
        async read(kind, after) {
          const { records, gone, ...page } = await telemetry.readAfter(kind, after, pageSize)
          if (gone) throw new Failure('HISTORY_GONE', 'Not all that follows this ID is kept any more.')
          // The database was restored to an earlier state, or the ID is from another server.
          if (compareStreamPositions(page.position, after) < 0)
            throw new Failure('HISTORY_GONE', 'This ID is ahead of all that the server has. Begin again without it.')
          const items = records.map((one) => ({ item: { type: 'telemetry', ...one } as const, position: one.position }))
          return { ...page, items }
        },
        end: () => telemetry.streamEnd(),
        compare: compareStreamPositions,
        onHint: (kind, wake) => arrivals.listen(kind, wake),
        idleMs,
      },
      clock,
    )
  }
}

/** Negative if `a` comes first. */
function compareStreamPositions(a: TelemetryStreamPosition, b: TelemetryStreamPosition): number {
  return a.tx - b.tx || a.number - b.number
}
