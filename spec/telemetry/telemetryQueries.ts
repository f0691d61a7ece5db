/** Saved telemetry queries: named filters, which the list of records and an export can be asked with again. */
import * as v from 'valibot'
import { idempotencyKey } from '../agents/enrollments.ts'
import { connectionOf, pageArguments } from '../core/connections.ts'
import { mutation, query } from '../core/operation.ts'
import { expectedRevision, revision } from '../core/revision.ts'
import { dateTime, id, idOf, int, named, text } from '../core/types.ts'
import { telemetryKind } from './filter.ts'
import { telemetryFilter } from './telemetryRecords.ts'

const nullableText = v.nullable(v.string())

const savedFilter = named(
  'SavedTelemetryFilter',
  'Which records a saved query finds: everything that is given must hold.',
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
  description: 'Saved telemetry queries, newest first.',
  access: 'people',
  tool: {
    group: 'telemetry',
    name: 'get_telemetry_queries',
    title: 'List saved telemetry queries',
    description:
      'Lists saved telemetry queries, newest first: ID, name, kind and filter. Give a filter to `get_telemetry_records`; go on with ' +
      '`after: pageInfo.endCursor`.',
  },
  input: v.object({ ...pageArguments }),
  output: connectionOf('TelemetryQuery', schema),
})

const queryName = v.pipe(text({ min: 1, max: 100 }), v.description('Unique, whatever its letters’ case.'))
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
      'Saves a filter of telemetry records under a name that no other saved query has, so that people can list and export them with it.',
  },
  input: v.object({ name: queryName, kind: telemetryKind, filter: v.nullish(telemetryFilter), idempotencyKey }),
  output: payload('CreateTelemetryQueryPayload'),
})

export const updateTelemetryQuery = mutation({
  name: 'updateTelemetryQuery',
  description: 'Renames a saved query, or gives it another filter. What is left out stays as it is.',
  access: 'people',
  tool: { group: 'telemetry', title: 'Change a saved telemetry query', idempotent: true },
  input: v.object({
    queryId: idOf('telemetryQuery'),
    name: v.nullish(queryName),
    filter: v.pipe(v.nullish(telemetryFilter), v.description('Takes the place of the whole filter.')),
    expectedRevision,
  }),
  output: payload('UpdateTelemetryQueryPayload'),
})

export const deleteTelemetryQuery = mutation({
  name: 'deleteTelemetryQuery',
  description: 'Deletes a saved query. The records that it finds stay.',
  access: 'people',
  tool: { group: 'telemetry', title: 'Delete a saved telemetry query', destroys: true, idempotent: true },
  input: v.object({ queryId: idOf('telemetryQuery'), expectedRevision }),
  output: payload('DeleteTelemetryQueryPayload'),
})
