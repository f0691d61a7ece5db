import type * as v from 'valibot'
import { fromCursor, notACursor, toCursor } from '../../../spec/core/connections.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import { queryOf } from '../../../spec/telemetry/filter.ts'
import type { StoredTelemetry, TelemetryPosition } from '../../../spec/telemetry/record.ts'
import { type telemetryRecord, telemetryRecords } from '../../../spec/telemetry/telemetryRecords.ts'
import type { Page } from '../core/connections.ts'
import { handle } from '../handler.ts'

export function toRecord({ number: _, ...one }: StoredTelemetry): v.InferInput<typeof telemetryRecord> {
  return {
    ...one,
    timestamp: toDateTime(one.timestamp),
    observedTimestamp: toDateTime(one.observedTimestamp),
  }
}

function makeCursor({ observedTimestamp, number }: StoredTelemetry): string {
  return toCursor(`${observedTimestamp}_${number}`)
}

/** @throws Failure BAD_USER_INPUT */
function parseCursor(cursor: string): TelemetryPosition {
  const [, at, number] = /^(\d{1,15})_(\d{1,15})$/.exec(fromCursor(cursor, 'after')) ?? []
  if (at === undefined || number === undefined) throw notACursor('after')
  return { observedTimestamp: Number(at), number: Number(number) }
}

export const telemetryRecordHandlers = [
  handle(telemetryRecords, ['telemetry'], {
    read: async (
      { kind, filter, first, after },
      { telemetry },
    ): Promise<Omit<Page<v.InferInput<typeof telemetryRecord>>, 'totalCount'>> => {
      const limit = first ?? 50
      const position = typeof after === 'string' ? parseCursor(after) : undefined
      const found = await telemetry.read(queryOf(kind, filter ?? {}, 'filter'), position, limit + 1)
      const edges = found.slice(0, limit).map((one) => ({ cursor: makeCursor(one), node: toRecord(one) }))
      return {
        edges,
        nodes: edges.map(({ node }) => node),
        pageInfo: {
          hasNextPage: found.length > limit,
          hasPreviousPage: position !== undefined,
          startCursor: edges[0]?.cursor ?? null,
          endCursor: edges.at(-1)?.cursor ?? null,
        },
      }
    },
  }),
]
