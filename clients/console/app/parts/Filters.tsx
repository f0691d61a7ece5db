/** The filters of a list. They are in the address, so that a link shows the same list. */

import type { ComponentChildren } from 'preact'
import { filters, setFilters } from '../router.ts'
import { nameWords } from './nameWords.ts'

interface FiltersProps {
  readonly placeholder: string
  readonly choices: readonly string[]
  /** The label for no selection. */
  readonly all: string
  /** More filters. */
  readonly children?: ComponentChildren
}

export function Filters({ placeholder, choices, all, children }: FiltersProps) {
  const { q = '', status = '' } = filters.value
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
        aria-label="Status"
        value={status}
        onChange={({ currentTarget }) => setFilters({ status: currentTarget.value })}
      >
        <option value="">{all}</option>
        {choices.map((one) => (
          <option key={one} value={one}>
            {nameWords(one)}
          </option>
        ))}
      </select>
      {children}
    </search>
  )
}
