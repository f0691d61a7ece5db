/** Calls back each time that a value changes, such as a count of changes, but not at the first render, when the view reads anyway. */
import { useEffect, useRef } from 'preact/hooks'

export function useOnChange(value: number | string, onChange: () => void): void {
  const lastValue = useRef(value)
  useEffect(() => {
    if (value === lastValue.current) return
    lastValue.current = value
    onChange()
  }, [value])
}
