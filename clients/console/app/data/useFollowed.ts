/** Objects that are updated live, by their ID. */
import { useEffect, useState } from 'preact/hooks'
import type { Refusal } from './ask.ts'
import { frames } from './frames.ts'
import { follow, returns } from './live.ts'

export interface Followed<T> {
  readonly all: ReadonlyMap<string, T>
  readonly refusal: Refusal | undefined
}

const nothing = { all: new Map<string, never>(), refusal: undefined }

export function useFollowed<T extends { readonly id: string }>(
  query: string,
  field: string,
  variables: Readonly<Record<string, unknown>> = {},
): Followed<T> {
  const key = JSON.stringify([query, variables])
  const [shown, setShown] = useState<Followed<T> & { readonly key: string }>({ key, ...nothing })
  const returned = returns.value
  // The key identifies the subscription. Items from before a gap may be old. They are shown until new ones arrive.
  useEffect(() => {
    const all = new Map<string, T>()
    const show = (refusal?: Refusal) => setShown({ key, all: new Map(all), refusal })
    const { soon, stop } = frames(show)
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
  return shown.key === key ? shown : nothing
}
