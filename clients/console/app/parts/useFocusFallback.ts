/** If an action removes its own button, the focus moves to a heading or a button beside it, so that it is not lost. */
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

/** @returns the ref for an element that stays in the same section. A heading needs `tabIndex={-1}` */
export function useFocusFallback<T extends HTMLElement = HTMLHeadingElement>(): RefObject<T | null> {
  const fallback = useRef<T>(null)
  const lastFocused = useRef<EventTarget | null>(null)
  useEffect(() => {
    const section = fallback.current?.closest('section')
    const handleFocus = ({ target }: FocusEvent) => {
      lastFocused.current = target
    }
    section?.addEventListener('focusin', handleFocus)
    return () => section?.removeEventListener('focusin', handleFocus)
  }, [])
  useLayoutEffect(() => {
    const isRemoved = lastFocused.current instanceof Element && !lastFocused.current.isConnected
    if (!isRemoved || document.activeElement !== document.body) return
    lastFocused.current = null
    fallback.current?.focus({ preventScroll: true })
  })
  return fallback
}
