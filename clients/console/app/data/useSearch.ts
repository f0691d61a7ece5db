/** What the search finds while somebody types. */
import { useEffect, useState } from 'preact/hooks'
import { ask } from './ask.ts'

export interface Hit {
  readonly kind: string
  readonly id: string
  readonly title: string
  readonly excerpt: string | null
  readonly status: string
}

const query = `query ($text: String!, $kinds: [SearchKind!], $first: Int!) {
  globalSearch(text: $text, kinds: $kinds, first: $first) { hits { kind id title excerpt status } }
}`
/** Between two letters nobody waits for an answer. */
const pauseMs = 120

/** @param kind as the search calls it; without, whatever it finds @returns the best `first`; none for no text */
export function useSearch(text: string, first: number, kind?: string): readonly Hit[] {
  const [hits, setHits] = useState<readonly Hit[]>([])
  useEffect(() => {
    if (text.trim() === '') return setHits([])
    let current = true
    const later = setTimeout(() => {
      const variables = { text, first, kinds: kind === undefined ? null : [kind] }
      ask<{ globalSearch: { hits: readonly Hit[] } }>(query, variables).then(
        ({ globalSearch }) => current && setHits(globalSearch.hits),
        () => current && setHits([]),
      )
    }, pauseMs)
    return () => {
      current = false
      clearTimeout(later)
    }
  }, [text, first, kind])
  return hits
}
