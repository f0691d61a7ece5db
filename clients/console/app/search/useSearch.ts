/** Search results while the user types. */
import { useEffect, useState } from 'preact/hooks'
import { ask } from '../data/ask.ts'

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
/** Milliseconds without a new letter before the search is sent. */
const pauseMs = 120

interface Search {
  /** The best ones; those of the text before, until the present one is answered. */
  readonly hits: readonly Hit[]
  /** The present text has been answered. */
  readonly isAnswered: boolean
}

const none: readonly Hit[] = []

/** @param kind as the search calls it; without, whatever it finds */
export function useSearch(text: string, first: number, kind?: string): Search {
  const [found, setFound] = useState({ text: '', hits: none })
  useEffect(() => {
    if (text.trim() === '') return setFound({ text, hits: none })
    let current = true
    const later = setTimeout(() => {
      const variables = { text, first, kinds: kind === undefined ? null : [kind] }
      ask<{ globalSearch: { hits: readonly Hit[] } }>(query, variables).then(
        ({ globalSearch }) => current && setFound({ text, hits: globalSearch.hits }),
        () => current && setFound({ text, hits: none }),
      )
    }, pauseMs)
    return () => {
      current = false
      clearTimeout(later)
    }
  }, [text, first, kind])
  return { hits: found.hits, isAnswered: found.text === text }
}
