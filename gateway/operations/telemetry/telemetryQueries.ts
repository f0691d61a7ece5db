import type { ActorEvent, ActorRow } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { principalName } from '../../../spec/core/principal.ts'
import { contextOf, initOf } from '../../../spec/core/rows.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import { type filterEntries, queryOf, type TelemetryFilter } from '../../../spec/telemetry/filter.ts'
import type { TelemetryKind } from '../../../spec/telemetry/record.ts'
import {
  createTelemetryQuery,
  deleteTelemetryQuery,
  schema,
  telemetryQueries,
  updateTelemetryQuery,
} from '../../../spec/telemetry/telemetryQueries.ts'
import type { Views } from '../../../storage/ports/views.ts'
import { pageOfRows } from '../core/connections.ts'
import { oneMessage } from '../core/replies.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { ObjectType } from '../objectType.ts'
import type { MessageContext } from '../requestContext.ts'

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

export const telemetryQueryHandlers = [
  handle(telemetryQueries, {
    read: async (page, context) =>
      await pageOfRows(context.views, { kind: 'telemetryQuery', terminal: false }, page, (row) =>
        telemetryQueryType.fromRow(row, context),
      ),
  }),
  handle(createTelemetryQuery, {
    repeat: {
      message: 0,
      answer: ({ row }, context) => ({ telemetryQuery: telemetryQueryType.fromRow(row, context) }),
    },
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
  }),
  handle(updateTelemetryQuery, {
    translate: async ({ queryId, name, filter }, context) => {
      const row = await requireRow(context.views, 'telemetryQuery', queryId)
      if (name) await refuseTaken(name, context.views, queryId)
      const change = {
        ...(name ? { name } : {}),
        ...(filter ? { filter: kept(savedQueryOf(row).kind, filter) } : {}),
      }
      return toQuery(queryId, { type: 'update', ...change }, context)
    },
  }),
  handle(deleteTelemetryQuery, {
    translate: async ({ queryId }, context) => {
      await requireRow(context.views, 'telemetryQuery', queryId)
      return toQuery(queryId, { type: 'delete' }, context)
    },
  }),
]
