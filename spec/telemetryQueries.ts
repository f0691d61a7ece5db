/** Saved telemetry queries: named filters, which the list of records and an export can be asked with again. */
import * as v from 'valibot'
import type { ActorEvent, ActorRow } from './actor.ts'
import { connectionOf, pageArguments, pageOfRows } from './connections.ts'
import { idempotencyKey } from './enrollments.ts'
import { Failure } from './failure.ts'
import { type MessageContext, mutation, type ObjectType, query } from './operation.ts'
import { principalName } from './principal.ts'
import { oneMessage } from './replies.ts'
import { contextOf, initOf, requireRow } from './rows.ts'
import { type filterEntries, queryOf, type TelemetryFilter, telemetryKind } from './telemetry/filter.ts'
import type { TelemetryKind } from './telemetry/record.ts'
import { telemetryFilter } from './telemetryRecords.ts'
import { dateTime, id, idOf, int, named, text, toDateTime } from './types.ts'
import type { Views } from './views.ts'

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

const schema = named(
  'TelemetryQuery',
  'A saved telemetry query.',
  v.object({
    id,
    name: v.string(),
    kind: telemetryKind,
    filter: savedFilter,
    createdAt: dateTime,
    updatedAt: dateTime,
  }),
)

type Saved = Readonly<Record<keyof typeof filterEntries, unknown>>

/** What a row keeps, as an export and a list take it. */
export function savedQueryOf(row: ActorRow): { readonly kind: TelemetryKind; readonly filter: TelemetryFilter } {
  const { filter } = contextOf<{ filter: TelemetryFilter }>(row)
  return { kind: initOf<{ kind: TelemetryKind }>(row).kind, filter }
}

/** @throws Failure NOT_FOUND @param field that names it */
export async function savedQuery(queryId: string, views: Views, field: string) {
  const row = await views.get(queryId)
  if (row?.kind === 'telemetryQuery' && !row.columns.terminal) return savedQueryOf(row)
  throw new Failure('NOT_FOUND', `There is no saved query ${queryId}: it may have been deleted.`, {
    details: { field },
  })
}

export const telemetryQueryType: ObjectType<typeof schema> = {
  name: 'TelemetryQuery',
  kind: 'telemetryQuery',
  schema,
  relations: {},
  fromRow: (row) => {
    const { name, updatedAt } = contextOf<{ name: string; updatedAt: number }>(row)
    const { kind, filter } = savedQueryOf(row)
    const given = filter as Saved
    const moment = (value: unknown) => (typeof value === 'number' ? toDateTime(value) : null)
    const words = (value: unknown) => (typeof value === 'string' ? value : null)
    return {
      id: row.id,
      name,
      kind,
      filter: {
        from: moment(given.from),
        to: moment(given.to),
        severityMin: typeof given.severityMin === 'number' ? given.severityMin : null,
        text: words(given.text),
        sessionId: words(given.sessionId),
        eventName: words(given.eventName),
        traceId: words(given.traceId),
      },
      createdAt: toDateTime(row.createdAt),
      updatedAt: toDateTime(updatedAt),
    }
  },
}

const telemetryQueries = query({
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
  read: async (page, context) =>
    await pageOfRows(context.views, { kind: 'telemetryQuery', terminal: false }, page, (row) =>
      telemetryQueryType.fromRow(row, context),
    ),
})

const queryName = v.pipe(text({ min: 1, max: 100 }), v.description('Unique, whatever its letters’ case.'))
const payload = (typeName: string) =>
  named(typeName, 'The saved query after the change.', v.object({ telemetryQuery: schema }))

const createTelemetryQuery = mutation({
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
  repeat: { message: 0, answer: ({ row }, context) => ({ telemetryQuery: telemetryQueryType.fromRow(row, context) }) },
  translate: async ({ name, kind, filter }, context) => {
    await refuseTaken(name, context.views)
    const create = {
      name,
      kind,
      filter: kept(kind, filter),
      createdBy: principalName(context.principal),
      createdAt: context.now,
    }
    const to = { kind: 'telemetryQuery', id: context.newId('telemetryQuery') } as const
    return oneMessage({ to, event: { type: 'create' }, create }, (row) => ({
      telemetryQuery: telemetryQueryType.fromRow(row, context),
    }))
  },
})

const updateTelemetryQuery = mutation({
  name: 'updateTelemetryQuery',
  description: 'Renames a saved query, or gives it another filter. What is left out stays as it is.',
  access: 'people',
  tool: { group: 'telemetry', title: 'Change a saved telemetry query', idempotent: true },
  input: v.object({
    queryId: idOf('telemetryQuery'),
    name: v.nullish(queryName),
    filter: v.pipe(v.nullish(telemetryFilter), v.description('Takes the place of the whole filter.')),
  }),
  output: payload('UpdateTelemetryQueryPayload'),
  translate: async ({ queryId, name, filter }, context) => {
    const row = await requireRow(context.views, 'telemetryQuery', queryId)
    if (name) await refuseTaken(name, context.views, queryId)
    const change = {
      ...(name ? { name } : {}),
      ...(filter ? { filter: kept(savedQueryOf(row).kind, filter) } : {}),
    }
    return toQuery(queryId, { type: 'update', ...change }, context)
  },
})

const deleteTelemetryQuery = mutation({
  name: 'deleteTelemetryQuery',
  description: 'Deletes a saved query. The records that it finds stay.',
  access: 'people',
  tool: { group: 'telemetry', title: 'Delete a saved telemetry query', destroys: true, idempotent: true },
  input: v.object({ queryId: idOf('telemetryQuery') }),
  output: payload('DeleteTelemetryQueryPayload'),
  translate: async ({ queryId }, context) => {
    await requireRow(context.views, 'telemetryQuery', queryId)
    return toQuery(queryId, { type: 'delete' }, context)
  },
})

function toQuery(queryId: string, event: ActorEvent, context: MessageContext) {
  return oneMessage({ to: { kind: 'telemetryQuery', id: queryId }, event }, (row: ActorRow) => ({
    telemetryQuery: telemetryQueryType.fromRow(row, context),
  }))
}

/** @throws Failure BAD_USER_INPUT */
function kept(kind: TelemetryKind, filter: TelemetryFilter | null | undefined) {
  const { kind: _, ...given } = queryOf(kind, filter ?? {}, 'filter')
  return given as Record<string, string | number>
}

/** @throws Failure CONFLICT @param queryId the query that may have it */
async function refuseTaken(name: string, views: Views, queryId?: string): Promise<void> {
  const known = await views.findByKey('telemetryQuery', name.toLowerCase())
  if (known === undefined || known.id === queryId) return
  throw new Failure('CONFLICT', `There is a saved query "${name}" already: ${known.id}. Choose another name.`, {
    details: { field: 'name', id: known.id },
  })
}

export const telemetryQueryOperations = [
  telemetryQueries,
  createTelemetryQuery,
  updateTelemetryQuery,
  deleteTelemetryQuery,
]
