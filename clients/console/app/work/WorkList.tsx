/** A list of work objects as a table, with a filter of its status and a button for more. */
import type { ComponentChildren } from 'preact'
import type { TextWith } from '../../../../spec/messages/console/message.ts'
import type { PagedList } from '../data/usePagedList.ts'
import { format, messages } from '../messages.ts'
import { formatName } from '../parts/formatName.ts'
import { EmptyState } from '../parts/messages/EmptyState.tsx'
import { ErrorMessage } from '../parts/messages/ErrorMessage.tsx'
import { Loading } from '../parts/messages/Loading.tsx'
import { setFilters, useFilters } from '../router.ts'

const texts = messages.work.list

interface StatusFilterProps {
  readonly statuses: readonly string[]
}

/** The selected status is in the address. */
export function StatusFilter({ statuses }: StatusFilterProps) {
  const { status = '' } = useFilters()
  return (
    <search class="filters">
      <select
        aria-label={messages.parts.filters.status}
        value={status}
        onChange={({ currentTarget }) => setFilters({ status: currentTarget.value })}
      >
        <option value="">{texts.anyStatus}</option>
        {statuses.map((choice) => (
          <option key={choice} value={choice}>
            {formatName(choice)}
          </option>
        ))}
      </select>
    </search>
  )
}

/** Returns the status in the address, as the server takes it. Null for any. An unknown one is ignored. */
export function useStatusFilter<Status extends string>(statuses: readonly Status[]): Status | null {
  const { status } = useFilters()
  return statuses.find((candidate) => candidate === status) ?? null
}

interface Column<T> {
  readonly name: string
  /** Whether the column is left out on narrow screens. */
  readonly isWide?: boolean
  render(item: T): ComponentChildren
}

interface WorkListProps<T> {
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

export function WorkList<T>({
  label,
  list,
  columns,
  getId,
  empty,
  isFiltered,
  onClearFilters = () => setFilters({ status: '' }),
}: WorkListProps<T>) {
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
      {items.length > 0 && <WorkTable label={label} items={items} columns={columns} getId={getId} />}
      <ShowMore shown={items.length} list={list} />
    </>
  )
}

type WorkTableProps<T> = Pick<WorkListProps<T>, 'label' | 'columns' | 'getId'> & { readonly items: readonly T[] }

export function WorkTable<T>({ label, items, columns, getId }: WorkTableProps<T>) {
  return (
    <table class="work-table" aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ name, isWide }) => (
            <th key={name} scope="col" class={isWide ? 'wide' : undefined}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={getId(item)}>
            {columns.map(({ name, isWide, render }) => (
              <td key={name} class={isWide ? 'wide' : undefined}>
                {render(item)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface ShowMoreProps {
  readonly shown: number
  readonly list: Pick<PagedList<unknown>, 'hasMore' | 'loadMore' | 'totalCount'>
  /** Other texts than those of a list whose later items are below. */
  readonly label?: string
  readonly shownText?: TextWith<'shown' | 'count'>
}

/** Says how many are shown, and reads more. Nothing if all are shown. */
export function ShowMore({
  shown,
  list: { hasMore, loadMore, totalCount },
  label = messages.parts.loadMore,
  shownText = texts.shown,
}: ShowMoreProps) {
  if (!hasMore) return null
  return (
    <p class="show-more">
      <span class="hint" role="status">
        {format(shownText, { shown, count: Math.max(totalCount, shown) })}
      </span>{' '}
      <button type="button" class="quiet" onClick={loadMore}>
        {label}
      </button>
    </p>
  )
}
