/** A filter in the address that is a time. It is entered in the reader's zone, and is in the address as RFC 3339. */
import { setFilters } from '../../router.ts'
import { readInstant } from './readInstant.ts'

interface InstantFilterProps {
  readonly name: string
  readonly label: string
  readonly at: string | null
}

export function InstantFilter({ name, label, at }: InstantFilterProps) {
  return (
    <label>
      {label}
      <input
        type="datetime-local"
        value={at === null ? '' : formatLocal(new Date(at))}
        // The field returns a time without a zone, which is one of the reader's.
        onChange={({ currentTarget }) => setFilters({ [name]: readInstant(currentTarget.value) ?? '' })}
      />
    </label>
  )
}

/** Formats a time for the field, to the minute. */
function formatLocal(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`
}
