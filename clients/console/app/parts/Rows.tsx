/** A list of any length whose rows are in memory. Only the visible rows are on the page. */
import type { ComponentChildren } from 'preact'
import { VirtualList } from './VirtualList.tsx'

interface RowsProps<T> {
  readonly label: string
  readonly rows: readonly T[]
  /** In pixels. */
  readonly rowHeight: number
  idOf(one: T): string
  row(one: T): ComponentChildren
  /** Called near the end of the rows, so that more can be read. */
  onNearEnd?(): void
  /** Called with the range of rows on the page. The end of the range is exclusive. */
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
