/** Saved telemetry queries: named filters, which the list of records and an export can be asked with again. */
import * as v from 'valibot'
import { connectionOf, pageArguments } from '../core/connections.ts'
import { idempotencyKey } from '../core/idempotencyKey.ts'
import { mutation, query } from '../core/operation.ts'
import { expectedRevision, revision } from '../core/revision.ts'
import { dateTime, id, idOf, int, named, text } from '../core/types.ts'
import { telemetryKind } from './filter.ts'
import { telemetryFilter } from './telemetryRecords.ts'

const nullableText = v.nullable(v.string())

const savedFilter = named(
  'SavedTelemetryFilter',
  'The filter of a saved query. A record must match all given fields.',
  v.object({
    from: v.nullable(dateTime),
    to: v.nullable(dateTime),
    severityMin: v.nullable(int),
    text: nullableText,
    sessionId: nullableText,
    eventName: nullableText,
    traceId: nullableText,
  }),
)

export const schema = named(
  'TelemetryQuery',
  'A saved telemetry query.',
  v.object({
    id,
    name: v.string(),
    kind: telemetryKind,
    filter: savedFilter,
    revision,
    createdAt: dateTime,
    updatedAt: dateTime,
  }),
)

export const telemetryQueries = query({
  name: 'telemetryQueries',
  description: 'Returns the saved telemetry queries, newest first.',
  access: 'people',
  tool: {
    group: 'telemetry',
    name: 'get_telemetry_queries',
    title: 'List saved telemetry queries',
    description:
      'Lists the saved telemetry queries, newest first: ID, name, kind and filter. Pass a filter to `get_telemetry_records`. ' +
      '`after: pageInfo.endCursor` continues the list.',
  },
  input: v.object({ ...pageArguments }),
  output: connectionOf('TelemetryQuery', schema),
})

const queryName = v.pipe(text({ min: 1, max: 100 }), v.description('The name, unique regardless of case.'))
const payload = (typeName: string) =>
  named(typeName, 'The saved query after the change.', v.object({ telemetryQuery: schema }))

export const createTelemetryQuery = mutation({
  name: 'createTelemetryQuery',
  description: 'Saves a telemetry query under a name, for lists and exports.',
  access: 'people',
  tool: {
    group: 'telemetry',
    title: 'Save a telemetry query',
    description:
      'Saves a filter of telemetry records under a unique name, so that users can list and export the records.',
  },
  input: v.object({ name: queryName, kind: telemetryKind, filter: v.nullish(telemetryFilter), idempotencyKey }),
  output: payload('CreateTelemetryQueryPayload'),
})

export const updateTelemetryQuery = mutation({
  name: 'updateTelemetryQuery',
  description: 'Changes the name or the filter of a saved query. Omitted fields do not change.',
  access: 'people',
  tool: { group: 'telemetry', title: 'Change a saved telemetry query', idempotent: true },
  input: v.object({
    queryId: idOf('telemetryQuery'),
    name: v.nullish(queryName),
    filter: v.pipe(v.nullish(telemetryFilter), v.description('The new filter. It replaces the whole filter.')),
    expectedRevision,
  }),
  output: payload('UpdateTelemetryQueryPayload'),
})

export const deleteTelemetryQuery = mutation({
  name: 'deleteTelemetryQuery',
  description: 'Deletes a saved query. The telemetry records stay.',
  access: 'people',
  tool: { group: 'telemetry', title: 'Delete a saved telemetry query', destroys: true, idempotent: true },
  input: v.object({ queryId: idOf('telemetryQuery'), expectedRevision }),
  output: payload('DeleteTelemetryQueryPayload'),
})
