/** Calls back each time that a count of changes increases, but not at the first render, when the view reads anyway. */
import { useEffect, useRef } from 'preact/hooks'

export function useChanged(count: number, changed: () => void): void {
  const known = useRef(count)
  useEffect(() => {
    if (count === known.current) return
    known.current = count
    changed()
  }, [count])
}
