/** A box that shows a part of a chart: it is moved, zoomed, and shown on the full screen. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Rect } from '../../chart/chartLayout.ts'
import { messages } from '../messages.ts'
import { ChartToolbar } from './ChartToolbar.tsx'
import { type Size, scaleSize } from './chartView.ts'
import { Minimap } from './Minimap.tsx'
import { useChartGestures } from './useChartGestures.ts'
import { useChartView } from './useChartView.ts'

interface ChartViewportProps {
  readonly label: string
  readonly description: string
  readonly size: Size
  /** The part to show at first, and when it changes. Its point of origin is that of the chart with its margin. */
  readonly focus: Rect | undefined
  /** In pixels, around the chart. */
  readonly margin: number
  /** Whether the chart has links, so that it is not one image for screen readers. */
  readonly hasLinks: boolean
  /** The elements of the minimap. */
  readonly outline: ComponentChildren
  readonly children: ComponentChildren
}

export function ChartViewport({
  label,
  description,
  size,
  focus,
  margin,
  hasLinks,
  outline,
  children,
}: ChartViewportProps) {
  const figure = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLElement>(null)
  const { zoom, gestures, showInitial } = useChartView(box, size, focus)
  useChartGestures(box, gestures)
  const isFullScreen = useFullScreen(figure, showInitial)
  const viewBox = `${-margin} ${-margin} ${size.width} ${size.height}`
  return (
    <div ref={figure} class="figure">
      <ChartToolbar
        zoom={zoom}
        gestures={gestures}
        isFullScreen={isFullScreen}
        onToggleFullScreen={() =>
          void (isFullScreen ? document.exitFullscreen() : figure.current?.requestFullscreen())?.catch(() => {})
        }
      />
      <div class="chart-area">
        <section
          ref={box}
          class="chart"
          style={{ '--chart-height': `${size.height}px` }}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
          tabIndex={0}
          aria-label={label}
          aria-description={messages.statechart.keys}
        >
          <svg {...scaleSize(size, zoom)} viewBox={viewBox} role={hasLinks ? 'group' : 'img'} aria-label={description}>
            {children}
          </svg>
        </section>
        <Minimap box={box} size={size} zoom={zoom} viewBox={viewBox}>
          {outline}
        </Minimap>
      </div>
    </div>
  )
}

/** @param onChange called when the full screen has been entered or left */
function useFullScreen(figure: { readonly current: Element | null }, onChange: () => void): boolean {
  const [isFullScreen, setFullScreen] = useState(false)
  const latest = useRef(onChange)
  latest.current = onChange
  useEffect(() => {
    const update = () => {
      const isThis = document.fullscreenElement === figure.current
      setFullScreen((before) => {
        if (before !== isThis) requestAnimationFrame(() => latest.current())
        return isThis
      })
    }
    document.addEventListener('fullscreenchange', update)
    return () => document.removeEventListener('fullscreenchange', update)
  }, [])
  return isFullScreen
}
