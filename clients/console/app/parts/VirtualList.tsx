/** A list of any length of which only what is seen is on the page. Rows are of one height. */
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { barAt, heightOf, rowsAfter } from './tallScroll.ts'

interface VirtualListProps {
  readonly label: string
  readonly count: number
  /** Pixels. */
  readonly rowHeight: number
  row(index: number): ComponentChildren
  keyOf(index: number): string | number
  /** Rows that are near the end of what there is: time to ask for more. */
  onNearEnd?(): void
  /** Which rows are on the page, the last one not among them. */
  onSeen?(first: number, last: number): void
  /** Stays at the end as rows come, until the reader scrolls away. */
  readonly tail?: boolean
  /** A row that is to be seen, each time that it changes. */
  readonly show?: number | undefined
}

const spare = 8
/** After the last movement the bar is put where the rows are. */
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
  // As it is when something happens, which may be later than the rendering that began it.
  const height = useRef(total)
  height.current = total
  /** Where the bar stands, and the pixels of rows above what is seen. */
  const [view, setView] = useState({ bar: 0, top: 0, seen: 600 })
  const now = useRef(view)
  const look = (top: number) => {
    const element = box.current
    if (element === null) return
    const next = { bar: element.scrollTop, top, seen: element.clientHeight }
    atEnd.current = top + next.seen >= height.current - rowHeight
    const { bar, seen } = now.current
    if (bar === next.bar && now.current.top === top && seen === next.seen) return
    now.current = next
    setView(next)
  }
  const goTo = (top: number) => {
    const element = box.current
    if (element === null) return
    const extent = { total: height.current, seen: element.clientHeight }
    const within = Math.max(0, Math.min(top, extent.total - extent.seen))
    element.scrollTop = barAt(within, extent)
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
    const watch = new ResizeObserver(() => look(now.current.top))
    if (box.current) watch.observe(box.current)
    return () => {
      watch.disconnect()
      clearTimeout(rest.current)
    }
  }, [])
  useLayoutEffect(() => {
    const { top, seen } = now.current
    if (tail && atEnd.current) goTo(total)
    else if (top > Math.max(0, total - seen)) goTo(total)
    // Whoever scrolls is not held up by rows that come meanwhile.
    else look(top)
  }, [count])
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
