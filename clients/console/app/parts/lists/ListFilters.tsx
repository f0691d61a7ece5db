/** The filters of a list. They are in the address, so that a link shows the same list. */
import type { ComponentChildren } from 'preact'
import { messages } from '../../messages.ts'
import { setFilters, useFilters } from '../../router.ts'
import { formatName } from '../formatName.ts'

interface ListFiltersProps {
  readonly placeholder: string
  readonly statuses: readonly string[]
  /** The label for no selection. */
  readonly allLabel: string
  /** More filters. */
  readonly children?: ComponentChildren
}

export function ListFilters({ placeholder, statuses, allLabel, children }: ListFiltersProps) {
  const { q = '', status = '' } = useFilters()
  return (
    <search class="filters">
      <input
        type="search"
        aria-label={placeholder}
        placeholder={placeholder}
        value={q}
        onInput={({ currentTarget }) => setFilters({ q: currentTarget.value })}
      />
      <select
        aria-label={messages.parts.filters.status}
        value={status}
        onChange={({ currentTarget }) => setFilters({ status: currentTarget.value })}
      >
        <option value="">{allLabel}</option>
        {statuses.map((choice) => (
          <option key={choice} value={choice}>
            {formatName(choice)}
          </option>
        ))}
      </select>
      {children}
    </search>
  )
}
