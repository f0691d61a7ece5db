/** The last answer of the search, or its error. */
import { createStore } from '@xstate/store'
import type { ApiError } from '../data/apiError.ts'
import { graphql, type ResultOf } from '../data/graphql.ts'

export const searchQuery = graphql(`query ($text: String!, $kinds: [SearchKind!], $first: Int!) {
  globalSearch(text: $text, kinds: $kinds, first: $first) { hits { kind id title excerpt status } }
}`)

export type SearchHit = ResultOf<typeof searchQuery>['globalSearch']['hits'][number]

interface SearchContext {
  /** The last text whose search was answered or failed. */
  readonly text: string
  readonly hits: readonly SearchHit[]
  /** Undefined if the search was answered. */
  readonly error: ApiError | undefined
}

const initial: SearchContext = { text: '', hits: [], error: undefined }

export function createSearchStore() {
  return createStore({
    context: initial,
    on: {
      answered: (_, { text, hits }: { text: string; hits: readonly SearchHit[] }): SearchContext => ({
        text,
        hits,
        error: undefined,
      }),
      /** The matches of an earlier text are removed, because they do not match this one. */
      failed: (_, { text, error }: { text: string; error: ApiError }): SearchContext => ({ text, hits: [], error }),
    },
  })
}
