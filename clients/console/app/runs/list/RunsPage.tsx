/** Runs as a table: filtered and ordered by the server, updated live, with saved views and bulk actions. */
import { useMemo } from 'preact/hooks'
import { format, locale, messages } from '../../messages.ts'
import { EmptyState } from '../../parts/notices/EmptyState.tsx'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { Loading } from '../../parts/notices/Loading.tsx'
import { useDocumentTitle } from '../../parts/useDocumentTitle.ts'
import { setFilters, useFilters } from '../../router.ts'
import { createSelectionStore } from '../../state/selectionStore.ts'
import { useLocalStore } from '../../state/useLocalStore.ts'
import { RunTabs } from '../../work/WorkTabs.tsx'
import { BulkBar } from './BulkBar.tsx'
import { RunFilterFields } from './RunFilterFields.tsx'
import { RunTable } from './RunTable.tsx'
import { RunTotal } from './RunTotal.tsx'
import { filterNames, getStart, parseRunFilters, type RunFilter, type RunOrder, toRunFilter } from './runFilters.ts'
import { SavedViews } from './SavedViews.tsx'
import { useRunList } from './useRunList.ts'

const texts = messages.runs
const listFormat = new Intl.ListFormat(locale)

export function RunsPage() {
  useDocumentTitle([texts.title])
  const address = useFilters()
  const filters = parseRunFilters(address)
  const { period, order, unknown } = filters
  // Fixed at selection, so the list stays the same until the filter is selected again.
  const from = useMemo(() => getStart(period, Date.now()), [period])
  const filter = toRunFilter(filters, from)
  return (
    <section class="runs-page">
      <div class="heading-row">
        <h1>{texts.title}</h1>
        <SavedViews />
      </div>
      <RunTabs current="/runs" />
      <RunFilterFields filters={filters} />
      {unknown.length > 0 && (
        <p class="note" role="status">
          {format(texts.filters.unknown, { names: listFormat.format(unknown) })}
        </p>
      )}
      <RunList key={JSON.stringify([filter, order])} filter={filter} order={order} />
    </section>
  )
}

function RunList({ filter, order }: { readonly filter: RunFilter; readonly order: RunOrder }) {
  const { rows, error, hasMore, loadMore, refresh } = useRunList(filter, order)
  const [{ ids }, { trigger }] = useLocalStore(createSelectionStore)
  const isFiltered = Object.values(filter).some((value) => value !== null)
  if (rows === undefined) return error ? <ErrorMessage error={error} retriesAutomatically /> : <Loading />
  return (
    <>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      <RunTotal filter={filter} isCounted={order.column === 'created'} shown={rows.length} hasMore={hasMore} />
      {rows.length === 0 ? (
        <NoRuns isFiltered={isFiltered} />
      ) : (
        <RunTable
          rows={rows}
          order={order}
          selectedIds={ids}
          onSelect={(selected) => trigger.replaced({ ids: selected })}
          onToggle={(id) => trigger.toggled({ id })}
          onNearEnd={loadMore}
        />
      )}
      {ids.size > 0 && (
        <BulkBar
          ids={[...ids]}
          filter={filter}
          canSelectFilter={hasMore && ids.size === rows.length}
          onClear={() => {
            trigger.replaced({ ids: [] })
            refresh()
          }}
        />
      )}
    </>
  )
}

function NoRuns({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState title={messages.parts.noMatches}>
      <p>{texts.empty.filtered}</p>
      <p>
        <button type="button" class="quiet" onClick={clearFilters}>
          {messages.parts.filters.clear}
        </button>
      </p>
    </EmptyState>
  ) : (
    <EmptyState title={texts.empty.title}>
      <p>{texts.empty.text}</p>
      <p>
        <a href="/runs/new">{messages.shell.newRun}</a>
      </p>
    </EmptyState>
  )
}

function clearFilters(): void {
  setFilters(Object.fromEntries([...filterNames, 'view'].map((name) => [name, ''])))
}
