/** The filter of a list by one status. It is in the address. */
import { messages } from '../../messages.ts'
import { useFilters } from '../../router.ts'
import { formatName } from '../formatName.ts'
import { FilterChoice } from './FilterChoice.tsx'

interface StatusFilterProps {
  readonly statuses: readonly string[]
}

/** The only filter of a list. */
export function StatusFilter({ statuses }: StatusFilterProps) {
  return (
    <search class="filters">
      <StatusChoice statuses={statuses} />
    </search>
  )
}

/** One of several filters of a list. */
export function StatusChoice({ statuses }: StatusFilterProps) {
  const { status } = useFilters()
  const choices = statuses.map((one) => [one, formatName(one)] as const)
  return (
    <FilterChoice
      name="status"
      label={messages.parts.filters.status}
      value={status}
      choices={[['', messages.parts.filters.anyStatus], ...choices]}
    />
  )
}

/** Returns the status in the address, as the server takes it. Null for any. An unknown one is ignored. */
export function useStatusFilter<Status extends string>(statuses: readonly Status[]): Status | null {
  const { status } = useFilters()
  return statuses.find((candidate) => candidate === status) ?? null
}
