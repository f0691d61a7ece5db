/** What was done may take away the very button that did it: then the heading beside it has the focus, rather than nobody. */
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

/** @returns for a heading, which needs `tabIndex={-1}` */
export function useHeld(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const last = useRef<EventTarget | null>(null)
  useEffect(() => {
    const around = heading.current?.closest('section')
    const focused = ({ target }: FocusEvent) => {
      last.current = target
    }
    around?.addEventListener('focusin', focused)
    return () => around?.removeEventListener('focusin', focused)
  }, [])
  useLayoutEffect(() => {
    const gone = last.current instanceof Element && !last.current.isConnected
    if (!gone || document.activeElement !== document.body) return
    last.current = null
    heading.current?.focus({ preventScroll: true })
  })
  return heading
}
