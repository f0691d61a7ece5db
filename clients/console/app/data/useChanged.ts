/** Calls back each time that a count of changes goes up, but not when the view appears: it asks by itself then. */
import { useEffect, useRef } from 'preact/hooks'

export function useChanged(count: number, changed: () => void): void {
  const known = useRef(count)
  useEffect(() => {
    if (count === known.current) return
    known.current = count
    changed()
  }, [count])
}
