/** Things that are told as they change, by their ID; what comes at once is shown at once. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { follow } from './live.ts'

export function useFollowed<T extends { readonly id: string }>(
  query: string,
  field: string,
  variables: Readonly<Record<string, unknown>> = {},
): ReadonlyMap<string, T> {
  const all = useRef(new Map<string, T>())
  const [shown, setShown] = useState<ReadonlyMap<string, T>>(all.current)
  const key = JSON.stringify([query, variables])
  // The key says it all.
  useEffect(() => {
    all.current = new Map()
    let frame = 0
    const end = follow<Record<string, T>>(query, variables, (data) => {
      const one = data[field]
      if (one === undefined) return
      all.current.set(one.id, one)
      if (frame !== 0) return
      frame = requestAnimationFrame(() => {
        frame = 0
        setShown(new Map(all.current))
      })
    })
    return () => {
      end()
      cancelAnimationFrame(frame)
    }
  }, [key])
  return shown
}
