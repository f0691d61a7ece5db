/** The rows of runs under their column heads. On a phone a row is a card of two lines. */
import { messages } from '../../messages.ts'
import { VirtualRows } from '../../parts/lists/VirtualRows.tsx'
import { setFilters } from '../../router.ts'
import { useSelector } from '../../state/useSelector.ts'
import { viewportStore } from '../../state/viewportStore.ts'
import { RunTableRow } from './RunTableRow.tsx'
import { formatOrder, type RunOrder, type SortColumn } from './runFilters.ts'
import type { RunRow } from './runRow.ts'

const { columns, select, title } = messages.runs
const heads = ['title', 'status', 'requester', 'cli', 'place', 'wait', 'duration', 'created', 'ended'] as const

/**
 * The elements are not those of a table, because only the visible rows are in the document, each at a position of its own. The
 * attributes are here, because the rules for elements expect them on those of a table.
 */
const head = { role: 'columnheader' } as const
const headRow = { role: 'row', 'aria-rowindex': 1 } as const

/** In pixels, as in `clients/console/look/runs.css`. */
const rowHeight = 32
const cardHeight = 56

interface RunTableProps {
  readonly rows: readonly RunRow[]
  readonly order: RunOrder
  readonly selectedIds: ReadonlySet<string>
  onSelect(ids: readonly string[]): void
  onToggle(id: string): void
  onNearEnd(): void
}

export function RunTable({ rows, order, selectedIds, onSelect, onToggle, onNearEnd }: RunTableProps) {
  const isNarrow = useSelector(viewportStore, (viewport) => viewport.isNarrow)
  const isAllSelected = rows.every(({ id }) => selectedIds.has(id))
  return (
    <div {...{ role: 'table', 'aria-label': title, 'aria-rowcount': rows.length + 1 }} class="run-table">
      <div {...headRow} class="run-row run-heads">
        <span {...head} class="cell-select">
          <input
            type="checkbox"
            aria-label={select.loaded}
            checked={isAllSelected}
            onChange={() => onSelect(isAllSelected ? [] : rows.map(({ id }) => id))}
          />
        </span>
        {heads.map((name) => (
          <span key={name} {...{ ...head, 'aria-sort': sortOf(name, order) }} class={`cell-${name}`}>
            {name === 'created' || name === 'ended' ? <SortButton column={name} order={order} /> : columns[name]}
          </span>
        ))}
      </div>
      <VirtualRows
        label={title}
        isTable
        rows={rows}
        rowHeight={isNarrow ? cardHeight : rowHeight}
        getId={({ id }) => id}
        onNearEnd={onNearEnd}
        renderRow={(run) => (
          <RunTableRow run={run} isSelected={selectedIds.has(run.id)} onToggle={() => onToggle(run.id)} />
        )}
      />
    </div>
  )
}

function sortOf(name: (typeof heads)[number], { column, isAscending }: RunOrder) {
  if (name !== 'created' && name !== 'ended') return undefined
  return name !== column ? 'none' : isAscending ? 'ascending' : 'descending'
}

/** Sorts by the column, the newest first, or turns the order round. */
function SortButton({ column, order }: { readonly column: SortColumn; readonly order: RunOrder }) {
  const isSorted = order.column === column
  const next: RunOrder = { column, isAscending: isSorted && !order.isAscending }
  return (
    <button type="button" class="sort" onClick={() => setFilters({ sort: formatOrder(next) })}>
      {columns[column]}
      <span aria-hidden="true">{isSorted ? (order.isAscending ? ' ↑' : ' ↓') : ''}</span>
    </button>
  )
}
