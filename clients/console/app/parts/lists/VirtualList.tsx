/** A list of any length. Only the visible rows, and a few before and after them, are on the page. All rows have the same height. */
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { getElementHeight, moveRows, toBarPosition } from './scaledScroll.ts'

interface VirtualListProps {
  readonly label: string
  readonly count: number
  /** In pixels. */
  readonly rowHeight: number
  renderRow(index: number): ComponentChildren
  getKey(index: number): string | number
  /** Called near the end of the rows, so that more can be read. */
  onNearEnd?(): void
  /** Called with the range of rows on the page. The end of the range is exclusive. */
  onRenderedRange?(first: number, last: number): void
  /** Whether the list stays at the end as rows arrive, while the reader is at the end. */
  readonly followsEnd?: boolean
  /** The index of a row. When it changes, the list scrolls there, unless the row is visible. */
  readonly targetRow?: number | undefined
  /** Whether the list is the body of a table. The caller renders the element with the role of a table, and its first row with the column heads. */
  readonly isTable?: boolean
}

/** The number of rows that are rendered before the visible ones, and after them. */
const extraRows = 8
/** Milliseconds after the last movement until the scroll bar is set to the position of the rows. */
const restMs = 150

export function VirtualList({
  label,
  count,
  rowHeight,
  renderRow,
  getKey,
  onNearEnd,
  onRenderedRange,
  followsEnd = false,
  targetRow,
  isTable = false,
}: VirtualListProps) {
  const box = useRef<HTMLElement & HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const restTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const total = count * rowHeight
  // The current value for event handlers, which may run later than the render that created them.
  const latestTotal = useRef(total)
  latestTotal.current = total
  /** The position of the scroll bar, the pixels of rows above the visible ones, and the visible height: 600 until it is measured. */
  const position = useRef({ bar: 0, top: 0, visible: 600 })
  const [, render] = useState(position.current)
  const move = (next: typeof position.current) => {
    position.current = next
    render(next)
  }
  const updatePosition = (top: number) => {
    const element = box.current
    if (element === null) return
    const next = { bar: element.scrollTop, top, visible: element.clientHeight }
    isAtEnd.current = top + next.visible >= latestTotal.current - rowHeight
    const { bar, visible } = position.current
    if (bar !== next.bar || position.current.top !== top || visible !== next.visible) move(next)
  }
  const scrollTo = (top: number) => {
    const element = box.current
    if (element === null) return
    const extent = { total: latestTotal.current, visible: element.clientHeight }
    const within = Math.max(0, Math.min(top, extent.total - extent.visible))
    const bar = toBarPosition(within, extent)
    // Setting it stops a scroll that is in progress, such as that of the Home key.
    if (Math.abs(bar - element.scrollTop) >= 1) element.scrollTop = bar
    updatePosition(within)
  }
  const handleScroll = () => {
    const element = box.current
    if (element === null) return
    const { bar, top } = position.current
    updatePosition(moveRows(top, bar, element.scrollTop, { total: latestTotal.current, visible: element.clientHeight }))
    clearTimeout(restTimer.current)
    restTimer.current = setTimeout(() => scrollTo(position.current.top), restMs)
  }
  useEffect(() => {
    const resizeObserver = new ResizeObserver(() => {
      const visible = box.current?.clientHeight ?? 0
      if (visible !== position.current.visible) move({ ...position.current, visible })
    })
    if (box.current) resizeObserver.observe(box.current)
    return () => {
      resizeObserver.disconnect()
      clearTimeout(restTimer.current)
    }
  }, [])
  // If the list became shorter, or follows its end, the rows at its end are rendered at once, and the scroll bar follows. Otherwise they
  // would be rendered twice.
  const end = Math.max(0, total - position.current.visible)
  const movesToEnd = position.current.top > end || (followsEnd && isAtEnd.current && position.current.top < end)
  const view = movesToEnd
    ? { ...position.current, top: end, bar: toBarPosition(end, { total, visible: position.current.visible }) }
    : position.current
  useLayoutEffect(() => {
    if (view === position.current) return
    position.current = view
    scrollTo(total)
  })
  useLayoutEffect(() => {
    const top = (targetRow ?? 0) * rowHeight
    const { top: from, visible } = position.current
    if (targetRow !== undefined && (top < from || top + rowHeight > from + visible)) scrollTo(top - visible / 2)
  }, [targetRow])
  const first = Math.max(0, Math.floor(view.top / rowHeight) - extraRows)
  const last = Math.min(count, Math.ceil((view.top + view.visible) / rowHeight) + extraRows)
  useEffect(() => {
    if (last >= count - extraRows) onNearEnd?.()
  }, [last, count])
  useEffect(() => onRenderedRange?.(first, last), [first, last])
  const [Box, List, Row] = isTable ? (['div', 'div', 'div'] as const) : (['section', 'ul', 'li'] as const)
  return (
    // A scrollable element must be reachable by keyboard.
    <Box
      ref={box}
      class="virtual"
      role={isTable ? 'rowgroup' : undefined}
      aria-label={label}
      tabIndex={0}
      onScroll={handleScroll}
    >
      <List
        class="virtual-rows"
        role={isTable ? 'presentation' : undefined}
        style={{ height: `${getElementHeight({ total, visible: view.visible })}px` }}
      >
        {Array.from({ length: Math.max(0, last - first) }, (_, offset) => {
          const index = first + offset
          return (
            <Row
              key={getKey(index)}
              class="virtual-row"
              {...(isTable
                ? { role: 'row', 'aria-rowindex': index + 2 }
                : { 'aria-setsize': count, 'aria-posinset': index + 1 })}
              style={{
                transform: `translateY(${index * rowHeight - view.top + view.bar}px)`,
                height: `${rowHeight}px`,
              }}
            >
              {renderRow(index)}
            </Row>
          )
        })}
      </List>
    </Box>
  )
}
