/** If an action removes its own button, the focus moves to a heading or a button beside it, so that it is not lost. */
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

/** @returns the ref for an element that stays in the same section. A heading needs `tabIndex={-1}` */
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
