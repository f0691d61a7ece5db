/** Calls back each time that a count of changes increases, but not at the first render, when the view reads anyway. */
import { useEffect, useRef } from 'preact/hooks'

export function useOnChange(count: number, onChange: () => void): void {
  const lastCount = useRef(count)
  useEffect(() => {
    if (count === lastCount.current) return
    lastCount.current = count
    onChange()
  }, [count])
}
