/** A connection of the API as a table, with a button for more. */
import type { ComponentChildren } from 'preact'
import type { PagedList } from '../../data/usePagedList.ts'
import { messages } from '../../messages.ts'
import { setFilters } from '../../router.ts'
import { EmptyState } from '../notices/EmptyState.tsx'
import { ErrorMessage } from '../notices/ErrorMessage.tsx'
import { Loading } from '../notices/Loading.tsx'
import { type Column, ObjectTable } from './ObjectTable.tsx'
import { ShowMore } from './ShowMore.tsx'

interface ObjectListProps<T> {
  readonly label: string
  readonly list: PagedList<T>
  readonly columns: readonly Column<T>[]
  getId(item: T): string
  /** Shown if there is nothing, and no filter. */
  readonly empty: ComponentChildren
  readonly isFiltered: boolean
  /** Removes the filters. Default: that of the status. */
  onClearFilters?(): void
}

export function ObjectList<T>({
  label,
  list,
  columns,
  getId,
  empty,
  isFiltered,
  onClearFilters = () => setFilters({ status: '' }),
}: ObjectListProps<T>) {
  const { items, error } = list
  if (items === undefined) return error ? <ErrorMessage error={error} retriesAutomatically /> : <Loading />
  return (
    <>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {items.length === 0 && !isFiltered && empty}
      {items.length === 0 && isFiltered && (
        <EmptyState title={messages.parts.noMatches}>
          <button type="button" class="quiet" onClick={onClearFilters}>
            {messages.parts.filters.clear}
          </button>
        </EmptyState>
      )}
      {items.length > 0 && <ObjectTable label={label} items={items} columns={columns} getId={getId} />}
      <ShowMore shown={items.length} list={list} />
    </>
  )
}
