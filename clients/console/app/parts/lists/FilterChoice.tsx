/** A filter in the address with a few values. An empty value removes it. */
import { setFilters } from '../../router.ts'

interface FilterChoiceProps {
  readonly name: string
  readonly label: string
  readonly value: string | undefined
  readonly choices: readonly (readonly [value: string, label: string])[]
}

export function FilterChoice({ name, label, value = '', choices }: FilterChoiceProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => setFilters({ [name]: currentTarget.value })}
    >
      {choices.map(([choice, text]) => (
        <option key={choice} value={choice}>
          {text}
        </option>
      ))}
    </select>
  )
}
