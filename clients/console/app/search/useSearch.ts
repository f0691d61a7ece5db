/** Search results while the user types. */
import { useEffect } from 'preact/hooks'
import type { EnumValue } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { useLocalStore } from '../state/useLocalStore.ts'
import { createSearchStore, type SearchHit, searchQuery } from './searchStore.ts'

/** Milliseconds without a new letter before the search is sent. */
const pauseMs = 120

interface SearchResult {
  /** The best matches. Until the current text is answered, those of the previous text. */
  readonly hits: readonly SearchHit[]
  /** Whether the current text has been answered. */
  readonly isAnswered: boolean
}

/** @param kind the kind of object, as the search names it. Undefined for all kinds */
export function useSearch(text: string, first: number, kind?: EnumValue<'SearchKind'>): SearchResult {
  const [answer, { trigger }] = useLocalStore(createSearchStore)
  useEffect(() => {
    if (text.trim() === '') return trigger.answered({ text, hits: [] })
    let isCurrent = true
    const timer = setTimeout(() => {
      const variables = { text, first, kinds: kind === undefined ? null : [kind] }
      requestGraphql(searchQuery, variables).then(
        ({ globalSearch }) => isCurrent && trigger.answered({ text, hits: globalSearch.hits }),
        () => isCurrent && trigger.answered({ text, hits: [] }),
      )
    }, pauseMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [text, first, kind])
  return { hits: answer.hits, isAnswered: answer.text === text }
}
