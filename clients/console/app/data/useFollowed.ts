/** Things that are told as they change, by their ID. */
import { useEffect, useState } from 'preact/hooks'
import type { Refusal } from './ask.ts'
import { frames } from './frames.ts'
import { follow, returns } from './live.ts'

export interface Followed<T> {
  readonly all: ReadonlyMap<string, T>
  readonly refusal: Refusal | undefined
}

export function useFollowed<T extends { readonly id: string }>(
  query: string,
  field: string,
  variables: Readonly<Record<string, unknown>> = {},
): Followed<T> {
  const [shown, setShown] = useState<Followed<T>>({ all: new Map(), refusal: undefined })
  const key = JSON.stringify([query, variables])
  const returned = returns.value
  // The key says it all. What was told before something was missed may be old: nothing of it is kept.
  useEffect(() => {
    const all = new Map<string, T>()
    const show = (refusal?: Refusal) => setShown({ all: new Map(all), refusal })
    const { soon, stop } = frames(show)
    show()
    const end = follow<Record<string, T>>(
      query,
      variables,
      (data) => {
        const one = data[field]
        if (one === undefined) return
        all.set(one.id, one)
        soon()
      },
      show,
    )
    return () => {
      end()
      stop()
    }
  }, [key, returned])
  return shown
}
