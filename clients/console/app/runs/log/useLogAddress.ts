/** The selected line and the search of a log, in the query of the address (`?line=12&find=text`). */
import { getFilteredAddress, setFilters, useFilters } from '../../router.ts'

interface LogAddress {
  /** From 0. Undefined if no line is selected. */
  readonly line: number | undefined
  readonly searchText: string
  /** @param line from 0, or undefined to deselect */
  select(line: number | undefined): void
  search(searchText: string): void
}

export function useLogAddress(): LogAddress {
  const { line = '', find = '' } = useFilters()
  return {
    line: /^[1-9]\d{0,8}$/.test(line) ? Number(line) - 1 : undefined,
    searchText: find,
    select: (selected) => setFilters({ line: toNumber(selected) }),
    search: (searchText) => setFilters({ find: searchText }),
  }
}

/** Returns the address of the current view with a line selected. */
export function getLineAddress(line: number): string {
  return getFilteredAddress({ line: toNumber(line) })
}

const toNumber = (line: number | undefined) => (line === undefined ? '' : String(line + 1))
