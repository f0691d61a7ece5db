/** A list of any length. Only the visible rows are on the page. All rows have the same height. */
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { barAt, heightOf, rowsAfter } from './tallScroll.ts'

interface VirtualListProps {
  readonly label: string
  readonly count: number
  /** In pixels. */
  readonly rowHeight: number
  row(index: number): ComponentChildren
  keyOf(index: number): string | number
  /** Called near the end of the rows, so that more can be read. */
  onNearEnd?(): void
  /** Called with the range of rows on the page. The end of the range is exclusive. */
  onSeen?(first: number, last: number): void
  /** Whether the list stays at the end as rows arrive, until the reader scrolls. */
  readonly tail?: boolean
  /** A row to scroll to, each time that it changes. */
  readonly show?: number | undefined
}

const spare = 8
/** Milliseconds after the last movement until the scroll bar is set to the position of the rows. */
const restMs = 150

export function VirtualList({
  label,
  count,
  rowHeight,
  row,
  keyOf,
  onNearEnd,
  onSeen,
  tail = false,
  show,
}: VirtualListProps) {
  const box = useRef<HTMLElement>(null)
  const atEnd = useRef(true)
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined)
  const total = count * rowHeight
  // The current value for event handlers, which may run later than the render that created them.
  const height = useRef(total)
  height.current = total
  /** The position of the scroll bar, the pixels of rows above the visible ones, and the visible height. */
  const now = useRef({ bar: 0, top: 0, seen: 600 })
  const [, render] = useState(now.current)
  const move = (next: typeof now.current) => {
    now.current = next
    render(next)
  }
  const look = (top: number) => {
    const element = box.current
    if (element === null) return
    const next = { bar: element.scrollTop, top, seen: element.clientHeight }
    atEnd.current = top + next.seen >= height.current - rowHeight
    const { bar, seen } = now.current
    if (bar !== next.bar || now.current.top !== top || seen !== next.seen) move(next)
  }
  const goTo = (top: number) => {
    const element = box.current
    if (element === null) return
    const extent = { total: height.current, seen: element.clientHeight }
    const within = Math.max(0, Math.min(top, extent.total - extent.seen))
    const bar = barAt(within, extent)
    // Setting it stops a scroll that is in progress, such as that of the Home key.
    if (Math.abs(bar - element.scrollTop) >= 1) element.scrollTop = bar
    look(within)
  }
  const scrolled = () => {
    const element = box.current
    if (element === null) return
    const { bar, top } = now.current
    look(rowsAfter(top, bar, element.scrollTop, { total: height.current, seen: element.clientHeight }))
    clearTimeout(rest.current)
    rest.current = setTimeout(() => goTo(now.current.top), restMs)
  }
  useEffect(() => {
    const watch = new ResizeObserver(() => {
      const seen = box.current?.clientHeight ?? 0
      if (seen !== now.current.seen) move({ ...now.current, seen })
    })
    if (box.current) watch.observe(box.current)
    return () => {
      watch.disconnect()
      clearTimeout(rest.current)
    }
  }, [])
  // New rows at the end are rendered at their final position, and the scroll bar follows. Otherwise they would be rendered twice.
  const end = Math.max(0, total - now.current.seen)
  const goesToEnd = now.current.top > end || (tail && atEnd.current && now.current.top < end)
  const view = goesToEnd
    ? { ...now.current, top: end, bar: barAt(end, { total, seen: now.current.seen }) }
    : now.current
  useLayoutEffect(() => {
    if (view === now.current) return
    now.current = view
    goTo(total)
  })
  useLayoutEffect(() => {
    const top = (show ?? 0) * rowHeight
    const { top: from, seen } = now.current
    if (show !== undefined && (top < from || top + rowHeight > from + seen)) goTo(top - seen / 2)
  }, [show])
  const first = Math.max(0, Math.floor(view.top / rowHeight) - spare)
  const last = Math.min(count, Math.ceil((view.top + view.seen) / rowHeight) + spare)
  useEffect(() => {
    if (last >= count - spare) onNearEnd?.()
  }, [last, count])
  useEffect(() => onSeen?.(first, last), [first, last])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section ref={box} class="virtual" aria-label={label} tabIndex={0} onScroll={scrolled}>
      <ul style={{ height: `${heightOf({ total, seen: view.seen })}px` }}>
        {Array.from({ length: Math.max(0, last - first) }, (_, offset) => {
          const index = first + offset
          return (
            <li
              key={keyOf(index)}
              class="virtual-row"
              aria-setsize={count}
              aria-posinset={index + 1}
              style={{
                transform: `translateY(${index * rowHeight - view.top + view.bar}px)`,
                height: `${rowHeight}px`,
              }}
            >
              {row(index)}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
