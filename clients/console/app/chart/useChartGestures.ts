/** Moves and zooms a chart with the mouse, the wheel, two fingers and the keyboard. */
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { getWheelFactor } from './chartView.ts'

export interface ChartGestures {
  /** Zooms and keeps the position of a point of the window, or of the middle of the box. @returns whether the zoom changed */
  zoomBy(factor: number, at?: { readonly clientX: number; readonly clientY: number }): boolean
  showOriginalSize(): void
  fit(): void
}

/** The distance in pixels from which on a pressed mouse drags. */
const dragThreshold = 4
/** The distance in pixels of an arrow key. */
const arrowStep = 80
/** Events of the wheel with less than this time between them, in milliseconds, belong to one gesture. */
const wheelPauseMs = 250

export function useChartGestures(ref: RefObject<HTMLElement | null>, gestures: ChartGestures): void {
  const latest = useRef(gestures)
  latest.current = gestures
  useEffect(() => {
    const box = ref.current
    if (box === null) return
    const controller = new AbortController()
    listenToDrag(box, controller.signal)
    listenToWheel(box, latest, controller.signal)
    listenToPinch(box, latest, controller.signal)
    listenToKeys(box, latest, controller.signal)
    return () => controller.abort()
  }, [])
}

type Latest = { readonly current: ChartGestures }

/** Fingers scroll the box without a script. */
function listenToDrag(box: HTMLElement, signal: AbortSignal): void {
  let start: { readonly x: number; readonly y: number; readonly left: number; readonly top: number } | undefined
  const isDragging = () => 'dragging' in box.dataset
  box.addEventListener(
    'pointerdown',
    ({ button, pointerType, clientX, clientY }) => {
      if (button !== 0 || pointerType === 'touch') return
      delete box.dataset.dragging
      start = { x: clientX, y: clientY, left: box.scrollLeft, top: box.scrollTop }
    },
    { signal },
  )
  box.addEventListener(
    'pointermove',
    ({ pointerId, clientX, clientY }) => {
      if (start === undefined) return
      const [byX, byY] = [clientX - start.x, clientY - start.y]
      if (!isDragging() && Math.hypot(byX, byY) < dragThreshold) return
      if (!isDragging()) box.setPointerCapture(pointerId)
      box.dataset.dragging = ''
      box.scrollTo({ left: start.left - byX, top: start.top - byY })
    },
    { signal },
  )
  const end = () => {
    start = undefined
    // The click that ends the drag comes afterwards.
    setTimeout(() => delete box.dataset.dragging)
  }
  for (const type of ['pointerup', 'pointercancel'] as const) box.addEventListener(type, end, { signal })
  box.addEventListener(
    'click',
    (event) => {
      if (!isDragging()) return
      event.preventDefault()
      event.stopPropagation()
    },
    { signal, capture: true },
  )
  // Otherwise the browser drags the link of a state.
  box.addEventListener('dragstart', (event) => event.preventDefault(), { signal })
}

/** A gesture that began outside the box scrolls the page, also when the box comes below the pointer. */
function listenToWheel(box: HTMLElement, latest: Latest, signal: AbortSignal): void {
  let lastOutside = Number.NEGATIVE_INFINITY
  document.addEventListener(
    'wheel',
    ({ target, timeStamp }) => {
      if (!(target instanceof Node && box.contains(target))) lastOutside = timeStamp
    },
    { signal, passive: true, capture: true },
  )
  box.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey && event.timeStamp - lastOutside < wheelPauseMs) {
        lastOutside = event.timeStamp
        return
      }
      // At the smallest and the largest zoom the page scrolls.
      if (latest.current.zoomBy(getWheelFactor(event), event) || event.ctrlKey) event.preventDefault()
    },
    { signal, passive: false },
  )
}

function listenToPinch(box: HTMLElement, latest: Latest, signal: AbortSignal): void {
  let distance = 0
  const measure = ({ touches: [a, b] }: TouchEvent) =>
    a === undefined || b === undefined
      ? undefined
      : {
          distance: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY),
          clientX: (a.clientX + b.clientX) / 2,
          clientY: (a.clientY + b.clientY) / 2,
        }
  const handle = (event: TouchEvent) => {
    const fingers = measure(event)
    if (fingers === undefined) return
    if (event.cancelable) event.preventDefault()
    if (event.type === 'touchmove' && distance > 0) latest.current.zoomBy(fingers.distance / distance, fingers)
    distance = fingers.distance
  }
  for (const type of ['touchstart', 'touchmove'] as const)
    box.addEventListener(type, handle, { signal, passive: false })
}

function listenToKeys(box: HTMLElement, latest: Latest, signal: AbortSignal): void {
  const actions: Readonly<Record<string, () => void>> = {
    '+': () => latest.current.zoomBy(1.25),
    '=': () => latest.current.zoomBy(1.25),
    '-': () => latest.current.zoomBy(1 / 1.25),
    '0': () => latest.current.showOriginalSize(),
    f: () => latest.current.fit(),
    ArrowLeft: () => box.scrollBy({ left: -arrowStep }),
    ArrowRight: () => box.scrollBy({ left: arrowStep }),
    ArrowUp: () => box.scrollBy({ top: -arrowStep }),
    ArrowDown: () => box.scrollBy({ top: arrowStep }),
  }
  box.addEventListener(
    'keydown',
    (event) => {
      const act = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined
      if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      act()
    },
    { signal },
  )
}
