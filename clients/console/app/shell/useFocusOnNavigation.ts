/** Moves the focus to the heading of a new view, so that screen readers announce it and Tab continues there. */
import { useEffect, useRef } from 'preact/hooks'

/** Milliseconds after which the view is assumed to have no heading. */
const waitMs = 5_000

/** @param path the path of the view. Its query may change without a move of the focus */
export function useFocusOnNavigation(path: string): void {
  const before = useRef(path)
  useEffect(() => {
    if (before.current === path) return
    before.current = path
    const main = document.querySelector('main')
    if (main === null || focusHeading(main)) return
    const observer = new MutationObserver(() => focusHeading(main) && observer.disconnect())
    observer.observe(main, { childList: true, subtree: true })
    const timer = setTimeout(() => observer.disconnect(), waitMs)
    return () => {
      observer.disconnect()
      clearTimeout(timer)
    }
  }, [path])
}

/** Returns whether the heading, or a field of the view that takes the focus at first, has it now. */
function focusHeading(main: HTMLElement): boolean {
  const heading = main.querySelector('h1')
  if (heading === null) return false
  if (main.contains(document.activeElement)) return true
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
  return true
}
