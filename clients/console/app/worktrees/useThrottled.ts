/** Calls back once, some time after the first of many calls, and only while the page is visible. */
import { useCallback, useEffect, useRef } from 'preact/hooks'

/** Agents report often, and the responses are large. */
const pauseMs = 10_000

export function useThrottled(callback: () => void): () => void {
  const cancel = useRef<() => void>(undefined)
  useEffect(() => () => cancel.current?.(), [])
  return useCallback(() => {
    if (cancel.current !== undefined) return
    const callNow = () => {
      if (document.hidden) return
      cancel.current?.()
      cancel.current = undefined
      callback()
    }
    const timer = setTimeout(callNow, pauseMs)
    document.addEventListener('visibilitychange', callNow)
    cancel.current = () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', callNow)
    }
  }, [callback])
}
