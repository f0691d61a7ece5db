/** Search results while the user types. */
import { useEffect } from 'preact/hooks'
import { type ApiError, toApiError } from '../data/apiError.ts'
import type { EnumValue } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { useLocalStore } from '../state/useLocalStore.ts'
import { createSearchStore, type SearchHit, searchQuery } from './searchStore.ts'

/** Milliseconds without a new letter before the search is sent. */
const pauseMs = 120

interface SearchResult {
  /** The best matches. Until the current text is answered, those of the previous text. */
  readonly hits: readonly SearchHit[]
  /** Whether the search for the current text has neither been answered nor failed. */
  readonly isSearching: boolean
  /** Why the search for the current text failed. */
  readonly error: ApiError | undefined
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
        (cause: unknown) => isCurrent && trigger.failed({ text, error: toApiError(cause) }),
      )
    }, pauseMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [text, first, kind])
  const isSearching = answer.text !== text
  return { hits: answer.hits, isSearching, error: isSearching ? undefined : answer.error }
}
