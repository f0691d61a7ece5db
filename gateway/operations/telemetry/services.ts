/** The objects that the telemetry routes share. A gateway creates them once. */

import { AddressQuota } from '../../limits/addressQuota.ts'
import type { Limits } from '../../limits/limits.ts'
import { ratePolicies } from '../../limits/ratePolicies.ts'
import type { GatewayOptions } from '../../options.ts'
import type { TelemetryArrivals } from '../../subscriptions/telemetryArrivals.ts'
import { TelemetryCollection } from './collection.ts'
import { Exporter } from './export/exporter.ts'
import type { Ingestion } from './ingest.ts'

export interface TelemetryServices extends Ingestion {
  readonly exporter: Exporter
}

export function telemetryServices(
  options: GatewayOptions,
  limits: Limits,
  arrivals: Pick<TelemetryArrivals, 'announce'>,
): TelemetryServices {
  const { telemetry, clock } = options
  return {
    telemetry,
    arrivals,
    limits,
    collection: new TelemetryCollection(options),
    quota: new AddressQuota(clock, ratePolicies(limits).telemetryBytes),
    exporter: new Exporter(telemetry),
  }
}
