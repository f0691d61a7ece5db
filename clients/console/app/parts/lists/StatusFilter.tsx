/** The filter of a list by one status. It is in the address. */
import { messages } from '../../messages.ts'
import { setFilters, useFilters } from '../../router.ts'
import { formatName } from '../formatName.ts'

interface StatusFilterProps {
  readonly statuses: readonly string[]
}

export function StatusFilter({ statuses }: StatusFilterProps) {
  const { status = '' } = useFilters()
  return (
    <search class="filters">
      <select
        aria-label={messages.parts.filters.status}
        value={status}
        onChange={({ currentTarget }) => setFilters({ status: currentTarget.value })}
      >
        <option value="">{messages.parts.filters.anyStatus}</option>
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
