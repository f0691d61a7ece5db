/**
 * The two routes that receive telemetry from anonymous clients. A request is checked in this order: the rate of its address, its body,
 * its form, whether telemetry is collected, and the bytes of its address.
 */
import type * as v from 'valibot'
import { Failure } from '../../../spec/core/failure.ts'
import type { analyticsEvent, consoleLog } from '../../../spec/telemetry/ingested.ts'
import { recordOf } from '../../../spec/telemetry/ingested.ts'
import type { TelemetryKind } from '../../../spec/telemetry/record.ts'
import { telemetryRoutes } from '../../../spec/telemetry/telemetryRoutes.ts'
import type { Telemetry } from '../../../storage/ports/telemetry.ts'
import { json } from '../../http/answer.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { Answer } from '../../http/route.ts'
import type { AddressQuota } from '../../limits/addressQuota.ts'
import type { Limits } from '../../limits/limits.ts'
import { type ServedRoute, serve } from '../restHandler.ts'
import type { TelemetryCollection } from './collection.ts'

export interface Ingestion {
  readonly telemetry: Telemetry
  readonly collection: TelemetryCollection
  readonly quota: AddressQuota
  readonly arrivals: { announce(kind: TelemetryKind): void }
  readonly limits: Pick<Limits, 'telemetryRecords'>
}

type Ingested = v.InferOutput<typeof consoleLog> | v.InferOutput<typeof analyticsEvent>

export function serveIngestion(of: Ingestion): readonly ServedRoute[] {
  return [
    serve(telemetryRoutes.ingestConsoleLogs, ({ request, input }) =>
      ingest('CONSOLE_LOG', 'items' in input ? input.items : [input], request, of),
    ),
    serve(telemetryRoutes.ingestAnalyticsEvents, ({ request, input }) =>
      ingest('ANALYTICS_EVENT', 'items' in input ? input.items : [input], request, of),
    ),
  ]
}

async function ingest(
  kind: TelemetryKind,
  records: readonly Ingested[],
  request: HttpRequest,
  { telemetry, collection, quota, arrivals, limits }: Ingestion,
): Promise<Answer> {
  const { address, receivedAt } = request
  if (records.length > limits.telemetryRecords) throw tooManyRecords(limits.telemetryRecords)
  if (!(await collection.isCollected(kind))) return json(202, { accepted: 0 })
  quota.count(address, request.body.size)
  const { kept, duplicates } = await telemetry.append(records.map((one) => recordOf(kind, one, receivedAt)))
  arrivals.announce(kind)
  return json(201, { accepted: kept, ...(duplicates > 0 ? { duplicates } : {}) })
}

function tooManyRecords(limit: number): Failure {
  const problem = `must have at most ${limit} records`
  return new Failure('BAD_USER_INPUT', `items: ${problem}`, { details: { field: 'items', problem } })
}
