/** The last answer of the search. */
import { createStore } from '@xstate/store'
import { graphql, type ResultOf } from '../data/graphql.ts'

export const searchQuery = graphql(`query ($text: String!, $kinds: [SearchKind!], $first: Int!) {
  globalSearch(text: $text, kinds: $kinds, first: $first) { hits { kind id title excerpt status } }
}`)

export type SearchHit = ResultOf<typeof searchQuery>['globalSearch']['hits'][number]

interface SearchContext {
  /** The text that was answered. */
  readonly text: string
  readonly hits: readonly SearchHit[]
}

const initial: SearchContext = { text: '', hits: [] }

export function createSearchStore() {
  return createStore({
    context: initial,
    on: {
      answered: (_, answer: SearchContext): SearchContext => ({ text: answer.text, hits: answer.hits }),
    },
  })
}
