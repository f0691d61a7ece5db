/** A list of any length whose rows are in memory. Only the visible rows are on the page. */
import type { ComponentChildren } from 'preact'
import { VirtualList } from './VirtualList.tsx'

interface VirtualRowsProps<T> {
  readonly label: string
  readonly rows: readonly T[]
  /** In pixels. */
  readonly rowHeight: number
  getId(row: T): string
  renderRow(row: T): ComponentChildren
  /** Called near the end of the rows, so that more can be read. */
  onNearEnd?(): void
  /** Called with the range of rows on the page. The end of the range is exclusive. */
  onRenderedRange?(first: number, last: number): void
  /** Whether the rows are those of an element with the role of a table, whose first row has the column heads. */
  readonly isTable?: boolean
}

export function VirtualRows<T extends object>({ rows, getId, renderRow, ...rest }: VirtualRowsProps<T>) {
  return (
    <VirtualList
      {...rest}
      count={rows.length}
      getKey={(index) => {
        const row = rows[index]
        return row === undefined ? index : getId(row)
      }}
      renderRow={(index) => {
        const row = rows[index]
        return row === undefined ? null : renderRow(row)
      }}
    />
  )
}
