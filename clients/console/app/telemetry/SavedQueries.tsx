/** The saved telemetry queries of all users. */
import { requestGraphql } from '../data/request.ts'
import { useOnTransition } from '../data/useOnTransition.ts'
import { useQuery } from '../data/useQuery.ts'
import { format, messages } from '../messages.ts'
import { createRepeatKeys } from '../parts/forms/repeatKeys.ts'
import { SavedFilters } from '../parts/lists/SavedFilters.tsx'
import { useFilters } from '../router.ts'
import {
  getTelemetryPath,
  isFiltered,
  isSameFilter,
  readSavedFilter,
  type SavedQuery,
  type TelemetryFilters,
} from './telemetryFilters.ts'
import { createQueryMutation, deleteQueryMutation, queriesQuery, updateQueryMutation } from './telemetryQueries.ts'

const texts = messages.telemetry.queries
const keys = createRepeatKeys()

export function SavedQueries({ kind, filter }: TelemetryFilters) {
  const { query: chosenId } = useFilters()
  const { data, error, refresh } = useQuery(queriesQuery, {})
  useOnTransition('TELEMETRY_QUERY', refresh)
  const queries = data?.telemetryQueries.nodes ?? []
  const unlistedCount = (data?.telemetryQueries.totalCount ?? 0) - queries.length
  const change = async (query: SavedQuery, input: { readonly name?: string; readonly filter?: typeof filter }) => {
    await requestGraphql(updateQueryMutation, {
      input: { queryId: query.id, expectedRevision: query.revision, ...input },
    })
    refresh()
  }
  return (
    <SavedFilters
      texts={texts}
      saved={queries.filter((query) => query.kind === kind)}
      unlisted={unlistedCount > 0 ? format(texts.more, { count: unlistedCount }) : ''}
      saveHint={texts.visible}
      error={error}
      chosenId={chosenId}
      isChanged={(chosen) =>
        chosen === undefined ? isFiltered(filter) : !isSameFilter(readSavedFilter(chosen), filter)
      }
      getPath={(query) =>
        query === undefined ? getTelemetryPath(kind) : getTelemetryPath(kind, readSavedFilter(query), query.id)
      }
      onSave={async (name) => {
        const input = { name, kind, filter }
        const { createTelemetryQuery } = await keys.send(input, (idempotencyKey) =>
          requestGraphql(createQueryMutation, { input: { ...input, idempotencyKey } }),
        )
        refresh()
        return getTelemetryPath(kind, filter, createTelemetryQuery.telemetryQuery.id)
      }}
      onUpdate={(query) => change(query, { filter })}
      onRename={(query, name) => change(query, { name })}
      onDelete={async ({ id, revision }) => {
        await requestGraphql(deleteQueryMutation, { input: { queryId: id, expectedRevision: revision } })
        refresh()
      }}
    />
  )
}
