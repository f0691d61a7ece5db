import { graphql, type ResultOf } from '../data/graphql.ts'

export const stuckQuery = graphql(`query ($after: String) { stuckActors(first: 100, after: $after) {
  totalCount pageInfo { hasNextPage endCursor }
  nodes { cause since waitsFor actor { id kind title status sequence } effects { id type attempts problem } }
} }`)

export type StuckActor = ResultOf<typeof stuckQuery>['stuckActors']['nodes'][number]
