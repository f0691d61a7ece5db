import type { TypedRow } from '../../../machines/rows.ts'
import type { ActorEvent } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { principalName } from '../../../spec/core/principal.ts'
import { expecting } from '../../../spec/core/revision.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import { queryOf, type TelemetryFilter } from '../../../spec/telemetry/filter.ts'
import type { TelemetryKind } from '../../../spec/telemetry/record.ts'
import {
  createTelemetryQuery,
  deleteTelemetryQuery,
  schema,
  telemetryQueries,
  updateTelemetryQuery,
} from '../../../spec/telemetry/telemetryQueries.ts'
import { pageOfRows } from '../core/connections.ts'
import { oneMessage, requireKind } from '../core/replies.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { ObjectType } from '../objectType.ts'
import type { RequestContext } from '../requestContext.ts'
import type { TypedViews } from '../typedViews.ts'

/** Reads the kind and the filter of a saved query. */
function readSavedQuery({ init: { kind }, context: { filter } }: TypedRow<'telemetryQuery'>) {
  return { kind, filter }
}

/** @param field the input field with the ID, for the failure @throws Failure NOT_FOUND */
export async function requireSavedQuery(queryId: string, views: TypedViews, field: string) {
  const row = await views.get('telemetryQuery', queryId)
  if (row !== undefined && !row.columns.terminal) return readSavedQuery(row)
  throw new Failure('NOT_FOUND', `There is no saved query ${queryId}. It may have been deleted.`, {
    details: { field },
  })
}

export const telemetryQueryType: ObjectType<'telemetryQuery', typeof schema> = {
  name: 'TelemetryQuery',
  kind: 'telemetryQuery',
  schema,
  relations: {},
  fromRow: (row) => {
    const { name, updatedAt, revision } = row.context
    const { kind, filter } = readSavedQuery(row)
    const dateTimeOrNull = (at: number | undefined) => (at === undefined ? null : toDateTime(at))
    return {
      id: row.id,
      name,
      kind,
      filter: {
        from: dateTimeOrNull(filter.from),
        to: dateTimeOrNull(filter.to),
        severityMin: filter.severityMin ?? null,
        text: filter.text ?? null,
        sessionId: filter.sessionId ?? null,
        eventName: filter.eventName ?? null,
        traceId: filter.traceId ?? null,
      },
      revision,
      createdAt: toDateTime(row.createdAt),
      updatedAt: toDateTime(updatedAt),
    }
  },
}

function sendToQuery(queryId: string, event: ActorEvent, context: RequestContext<'presence'>) {
  return oneMessage({ to: { kind: 'telemetryQuery', id: queryId }, event }, (row) => ({
    telemetryQuery: telemetryQueryType.fromRow(row, context),
  }))
}

/** @throws Failure BAD_USER_INPUT */
function checkFilter(kind: TelemetryKind, filter: TelemetryFilter | null | undefined) {
  const { kind: _, ...given } = queryOf(kind, filter ?? {}, 'filter')
  return given
}

/** @param queryId the query that may have the name @throws Failure CONFLICT */
async function refuseTaken(name: string, views: TypedViews, queryId?: string): Promise<void> {
  const known = await views.findByKey('telemetryQuery', name.toLowerCase())
  if (known === undefined || known.id === queryId) return
  throw new Failure('CONFLICT', `A saved query "${name}" already exists: ${known.id}. Choose another name.`, {
    details: { field: 'name', id: known.id },
  })
}

export const telemetryQueryHandlers = [
  handle(telemetryQueries, ['views', 'presence'], {
    read: async (page, context) =>
      await pageOfRows(context.views, { kind: 'telemetryQuery', terminal: false }, page, (row) =>
        telemetryQueryType.fromRow(row, context),
      ),
  }),
  handle(createTelemetryQuery, ['views', 'presence', 'ids'], {
    repeat: {
      message: 0,
      answer: ({ row }, context) => ({
        telemetryQuery: telemetryQueryType.fromRow(requireKind('telemetryQuery', row), context),
      }),
    },
    translate: async ({ name, kind, filter }, context) => {
      await refuseTaken(name, context.views)
      const create = {
        name,
        kind,
        filter: checkFilter(kind, filter),
        createdBy: principalName(context.principal),
        createdAt: context.now,
      }
      const to = { kind: 'telemetryQuery', id: context.ids.newId('telemetryQuery') } as const
      return oneMessage({ to, event: { type: 'create' }, create }, (row) => ({
        telemetryQuery: telemetryQueryType.fromRow(row, context),
      }))
    },
  }),
  handle(updateTelemetryQuery, ['views', 'presence'], {
    translate: async ({ queryId, name, filter, expectedRevision }, context) => {
      const row = await requireRow(context.views, 'telemetryQuery', queryId)
      if (name) await refuseTaken(name, context.views, queryId)
      const change = {
        ...expecting(expectedRevision),
        ...(name ? { name } : {}),
        ...(filter ? { filter: checkFilter(readSavedQuery(row).kind, filter) } : {}),
      }
      return sendToQuery(queryId, { type: 'update', ...change }, context)
    },
  }),
  handle(deleteTelemetryQuery, ['views', 'presence'], {
    translate: async ({ queryId, expectedRevision }, context) => {
      await requireRow(context.views, 'telemetryQuery', queryId)
      return sendToQuery(queryId, { type: 'delete', ...expecting(expectedRevision) }, context)
    },
  }),
]
