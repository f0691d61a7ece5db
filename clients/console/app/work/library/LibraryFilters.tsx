/** The filters of a list of commands or skills: their status, and the repository that they are for alone. */
import { messages } from '../../messages.ts'
import { ObjectPicker } from '../../parts/lists/ObjectPicker.tsx'
import { setFilters, useFilters } from '../../router.ts'

const texts = messages.work

type LibraryStatus = 'ACTIVE' | 'ARCHIVED'

interface LibraryFilter {
  readonly statuses: readonly LibraryStatus[]
  readonly repositoryId: string | null
  /** Whether anything but the active ones of all scopes is shown. */
  readonly isFiltered: boolean
}

/** Returns the filters in the address, as the server takes them. An unknown status is ignored. */
export function useLibraryFilter(): LibraryFilter {
  const { status = '', repository = '' } = useFilters()
  return {
    statuses: status === 'ANY' ? ['ACTIVE', 'ARCHIVED'] : [status === 'ARCHIVED' ? status : 'ACTIVE'],
    repositoryId: repository === '' ? null : repository,
    isFiltered: status === 'ARCHIVED' || repository !== '',
  }
}

export function clearLibraryFilters(): void {
  setFilters({ status: '', repository: '' })
}

export function LibraryFilters() {
  const { status = '', repository = '' } = useFilters()
  const choices = { '': texts.list.active, ARCHIVED: texts.list.archived, ANY: messages.parts.filters.anyStatus }
  return (
    <search class="filters">
      <select
        aria-label={messages.parts.filters.status}
        value={status}
        onChange={({ currentTarget }) => setFilters({ status: currentTarget.value })}
      >
        {Object.entries(choices).map(([choice, name]) => (
          <option key={choice} value={choice}>
            {name}
          </option>
        ))}
      </select>
      <ObjectPicker name="repository" label={texts.scope.repository} kind="REPOSITORY" id={repository} />
    </search>
  )
}
