/** Objects as a table. */
import type { ComponentChildren } from 'preact'

export interface Column<T> {
  readonly name: string
  /** Whether the column is left out on narrow screens. */
  readonly isWide?: boolean
  render(item: T): ComponentChildren
}

interface ObjectTableProps<T> {
  readonly label: string
  readonly items: readonly T[]
  readonly columns: readonly Column<T>[]
  getId(item: T): string
}

export function ObjectTable<T>({ label, items, columns, getId }: ObjectTableProps<T>) {
  return (
    <table class="object-table" aria-label={label}>
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
