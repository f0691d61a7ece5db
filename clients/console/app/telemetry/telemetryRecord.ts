/** The document that reads stored records. */
import { graphql, type ResultOf } from '../data/graphql.ts'

export const recordsQuery = graphql(`query ($kind: TelemetryKind!, $filter: TelemetryFilter, $after: String) {
  telemetryRecords(kind: $kind, filter: $filter, first: 50, after: $after) {
    nodes: edges { cursor node {
      timestamp observedTimestamp severityText severityNumber eventName body attributes resource sessionId traceId spanId recordId
    } }
    pageInfo { hasNextPage endCursor }
  }
}`)

export type TelemetryRecord = ResultOf<typeof recordsQuery>['telemetryRecords']['nodes'][number]['node']
