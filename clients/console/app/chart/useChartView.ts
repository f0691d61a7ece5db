/** The zoom of a chart and its position in its box. */
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Point, Rect } from '../../chart/chartLayout.ts'
import { clampZoom, getFitZoom, getInitialZoom, isInside, type Size } from './chartView.ts'
import type { ChartGestures } from './useChartGestures.ts'

/** A point of the chart, and the point of the window at which the box must show it. */
interface Anchor {
  readonly chart: Point
  readonly window: Point
}

/**
 * At first, the chart is fitted if its type is readable then. Otherwise the focus is in the middle.
 *
 * @param focus what is in view whenever it changes
 */
export function useChartView(box: RefObject<HTMLElement | null>, chart: Size, focus: Rect | undefined) {
  const [zoom, setZoom] = useState(1)
  const shownZoom = useRef(1)
  const latestZoom = useRef(1)
  const anchor = useRef<Anchor | undefined>(undefined)
  /** Whether the user has chosen a part of the chart. Then another size of the box keeps the zoom. */
  const isChosen = useRef(false)

  const change = (next: number, keep: Anchor | undefined) => {
    anchor.current = keep
    latestZoom.current = next
    setZoom(next)
    if (next === shownZoom.current) applyAnchor()
  }
  const applyAnchor = () => {
    const svg = box.current?.querySelector('svg')
    const keep = anchor.current
    if (!box.current || !svg || keep === undefined) return
    anchor.current = undefined
    const { left, top } = svg.getBoundingClientRect()
    box.current.scrollBy({
      left: left + keep.chart.x * shownZoom.current - keep.window.x,
      top: top + keep.chart.y * shownZoom.current - keep.window.y,
    })
  }
  const getMiddle = (): Point => {
    const { left = 0, top = 0, width = 0, height = 0 } = box.current?.getBoundingClientRect() ?? {}
    return { x: left + width / 2, y: top + height / 2 }
  }
  const center = (next: number, rect: Rect | undefined) =>
    change(next, rect && { chart: { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 }, window: getMiddle() })
  const measureBox = (): Size => ({ width: box.current?.clientWidth ?? 0, height: box.current?.clientHeight ?? 0 })
  const showInitial = () => {
    isChosen.current = false
    center(getInitialZoom(chart, measureBox()), focus)
  }
  const toChart = ({ x, y }: Point): Point => {
    const { left = 0, top = 0 } = box.current?.querySelector('svg')?.getBoundingClientRect() ?? {}
    return { x: (x - left) / shownZoom.current, y: (y - top) / shownZoom.current }
  }
  const zoomTo = (next: number, window: Point) => {
    isChosen.current = true
    change(next, { chart: toChart(window), window })
  }
  const gestures: ChartGestures = {
    zoomBy(factor, at) {
      const next = clampZoom(latestZoom.current * factor)
      if (next === latestZoom.current) return false
      zoomTo(next, at === undefined ? getMiddle() : { x: at.clientX, y: at.clientY })
      return true
    },
    showOriginalSize: () => zoomTo(1, getMiddle()),
    fit() {
      isChosen.current = true
      center(getFitZoom(chart, measureBox()), undefined)
    },
  }

  useLayoutEffect(() => {
    shownZoom.current = zoom
    applyAnchor()
  }, [zoom])
  useLayoutEffect(showInitial, [chart.width, chart.height])
  const initial = useRef(showInitial)
  initial.current = showInitial
  useLayoutEffect(() => {
    if (box.current === null) return
    const observer = new ResizeObserver(() => {
      if (!isChosen.current) initial.current()
    })
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  const focusKey = focus && `${focus.x} ${focus.y}`
  useLayoutEffect(() => {
    const { width, height } = measureBox()
    const corner = box.current?.getBoundingClientRect()
    if (focus === undefined || corner === undefined) return
    const visible = {
      ...toChart({ x: corner.left, y: corner.top }),
      ...scale({ width, height }, 1 / shownZoom.current),
    }
    if (!isInside(focus, visible)) center(latestZoom.current, focus)
  }, [focusKey])
  return { zoom, gestures, showInitial }
}

function scale({ width, height }: Size, by: number): Size {
  return { width: width * by, height: height * by }
}
