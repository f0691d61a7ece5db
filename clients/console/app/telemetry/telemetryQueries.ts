/** The documents of saved telemetry queries. */
import { graphql } from '../data/graphql.ts'

export const queriesQuery = graphql(`{ telemetryQueries(first: 100) {
  totalCount
  nodes { id name kind revision filter { text severityMin sessionId eventName traceId from to } }
} }`)

export const createQueryMutation = graphql(`mutation ($input: CreateTelemetryQueryInput!) {
  createTelemetryQuery(input: $input) { telemetryQuery { id } }
}`)

export const updateQueryMutation = graphql(`mutation ($input: UpdateTelemetryQueryInput!) {
  updateTelemetryQuery(input: $input) { telemetryQuery { id } }
}`)

export const deleteQueryMutation = graphql(`mutation ($input: DeleteTelemetryQueryInput!) {
  deleteTelemetryQuery(input: $input) { telemetryQuery { id } }
}`)
