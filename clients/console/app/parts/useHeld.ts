/** What was done may take away the very button that did it: then what stands beside it, a heading or a button, has the focus, rather than nobody. */
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

/** @returns for what stays, in the same section; a heading needs `tabIndex={-1}` */
export function useHeld<T extends HTMLElement = HTMLHeadingElement>(): RefObject<T | null> {
  const stays = useRef<T>(null)
  const last = useRef<EventTarget | null>(null)
  useEffect(() => {
    const around = stays.current?.closest('section')
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
    stays.current?.focus({ preventScroll: true })
  })
  return stays
}
