/** What a list is narrowed down by. It stands in the address, so that a link shows the same. */
import { ask, asked } from '../router.ts'

interface FiltersProps {
  readonly placeholder: string
  readonly choices: readonly string[]
  /** What stands for no choice. */
  readonly all: string
}

export function Filters({ placeholder, choices, all }: FiltersProps) {
  const { q = '', status = '' } = asked.value
  return (
    <search class="filters">
      <input
        type="search"
        aria-label={placeholder}
        placeholder={placeholder}
        value={q}
        onInput={({ currentTarget }) => ask({ q: currentTarget.value })}
      />
      <select aria-label="Status" value={status} onChange={({ currentTarget }) => ask({ status: currentTarget.value })}>
        <option value="">{all}</option>
        {choices.map((one) => (
          <option key={one} value={one}>
            {one.replaceAll('_', ' ').toLowerCase()}
          </option>
        ))}
      </select>
    </search>
  )
}
