/** A small picture of a chart that is larger than its box, with the visible part. A click or a drag moves that part. */
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type { Rect } from '../../chart/chartLayout.ts'
import { exceeds, type Size, scaleSize } from './chartView.ts'

interface MinimapProps {
  readonly box: RefObject<HTMLElement | null>
  /** The size of the chart. */
  readonly size: Size
  readonly zoom: number
  readonly viewBox: string
  readonly children: ComponentChildren
}

/** The largest size in pixels. */
const maxSize: Size = { width: 180, height: 110 }

/** Screen readers skip it: the chart itself has its content, and the arrow keys move it. */
export function Minimap({ box, size, zoom, viewBox, children }: MinimapProps) {
  const visible = useVisiblePart(box, zoom)
  if (visible === undefined || !exceeds(scaleSize(size, zoom), scaleSize(visible, zoom))) return null
  const scale = Math.min(maxSize.width / size.width, maxSize.height / size.height)
  const [left = 0, top = 0] = viewBox.split(' ').map(Number)
  const moveTo = (event: PointerEvent & { readonly currentTarget: SVGSVGElement }) => {
    const corner = event.currentTarget.getBoundingClientRect()
    const width = corner.width / size.width
    box.current?.scrollTo({
      left: ((event.clientX - corner.left) / width - visible.width / 2) * zoom,
      top: ((event.clientY - corner.top) / width - visible.height / 2) * zoom,
    })
  }
  return (
    <svg
      class="minimap"
      aria-hidden="true"
      {...scaleSize(size, scale)}
      viewBox={viewBox}
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        moveTo(event)
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) moveTo(event)
      }}
    >
      {children}
      <rect
        class="visible-part"
        x={left + visible.x}
        y={top + visible.y}
        width={Math.min(visible.width, size.width)}
        height={Math.min(visible.height, size.height)}
      />
    </svg>
  )
}

/** Returns the visible part in the units of the chart, from its corner. */
function useVisiblePart(box: RefObject<HTMLElement | null>, zoom: number): Rect | undefined {
  const [part, setPart] = useState<Rect>()
  const update = () => {
    if (box.current === null) return
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = box.current
    setPart({ x: scrollLeft / zoom, y: scrollTop / zoom, width: clientWidth / zoom, height: clientHeight / zoom })
  }
  useLayoutEffect(update, [zoom])
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const controller = new AbortController()
    element.addEventListener('scroll', update, { signal: controller.signal, passive: true })
    const observer = new ResizeObserver(update)
    observer.observe(element)
    return () => {
      controller.abort()
      observer.disconnect()
    }
  }, [zoom])
  return part
}
