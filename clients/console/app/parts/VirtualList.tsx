/** A list of any length of which only what is seen is on the page. Rows are of one height. */
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

interface VirtualListProps {
  readonly label: string
  readonly count: number
  /** Pixels. */
  readonly rowHeight: number
  row(index: number): ComponentChildren
  keyOf(index: number): string | number
  /** Rows that are near the end of what there is: time to ask for more. */
  onNearEnd?(): void
  /** Stays at the end as rows come, until the reader scrolls away. */
  readonly tail?: boolean
  /** A row that is to be seen, each time that it changes. */
  readonly show?: number | undefined
}

const spare = 8

export function VirtualList({ label, count, rowHeight, row, keyOf, onNearEnd, tail = false, show }: VirtualListProps) {
  const box = useRef<HTMLElement>(null)
  const atEnd = useRef(true)
  const [view, setView] = useState({ top: 0, height: 600 })
  const look = () => {
    const element = box.current
    if (element === null) return
    const { scrollTop, clientHeight } = element
    setView((before) =>
      before.top === scrollTop && before.height === clientHeight ? before : { top: scrollTop, height: clientHeight },
    )
  }
  const scrolled = () => {
    const element = box.current
    if (element !== null) atEnd.current = element.scrollTop + element.clientHeight >= element.scrollHeight - rowHeight
    look()
  }
  useLayoutEffect(look, [])
  useEffect(() => {
    const watch = new ResizeObserver(look)
    if (box.current) watch.observe(box.current)
    return () => watch.disconnect()
  }, [])
  useLayoutEffect(() => {
    if (tail && atEnd.current && box.current) box.current.scrollTop = box.current.scrollHeight
  }, [count])
  useLayoutEffect(() => {
    const element = box.current
    if (show === undefined || element === null) return
    const top = show * rowHeight
    if (top < element.scrollTop || top + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = top - element.clientHeight / 2
  }, [show])
  const first = Math.max(0, Math.floor(view.top / rowHeight) - spare)
  const last = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + spare)
  useEffect(() => {
    if (last >= count - spare) onNearEnd?.()
  }, [last, count])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section ref={box} class="virtual" aria-label={label} tabIndex={0} onScroll={scrolled}>
      <ul style={{ height: `${count * rowHeight}px` }}>
        {Array.from({ length: Math.max(0, last - first) }, (_, offset) => {
          const index = first + offset
          return (
            <li
              key={keyOf(index)}
              class="virtual-row"
              aria-setsize={count}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${index * rowHeight}px)`, height: `${rowHeight}px` }}
            >
              {row(index)}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
