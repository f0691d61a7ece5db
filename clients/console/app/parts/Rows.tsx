/** A list of any length whose rows are at hand: only what is seen is on the page. */
import type { ComponentChildren } from 'preact'
import { VirtualList } from './VirtualList.tsx'

interface RowsProps<T> {
  readonly label: string
  readonly rows: readonly T[]
  /** Pixels. */
  readonly rowHeight: number
  idOf(one: T): string
  row(one: T): ComponentChildren
  /** Rows that are near the end of what there is: time to ask for more. */
  onNearEnd?(): void
  /** Which rows are on the page, the last one not among them. */
  onSeen?(first: number, last: number): void
}

export function Rows<T extends object>({ rows, idOf, row, ...rest }: RowsProps<T>) {
  return (
    <VirtualList
      {...rest}
      count={rows.length}
      keyOf={(index) => {
        const one = rows[index]
        return one === undefined ? index : idOf(one)
      }}
      row={(index) => {
        const one = rows[index]
        return one === undefined ? null : row(one)
      }}
    />
  )
}
