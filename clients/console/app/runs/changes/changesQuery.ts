import { graphql } from '../../data/graphql.ts'

/** The diff is read as far as the server stores it. */
export const changesQuery = graphql(`query ($id: ID!) { runChanges(runId: $id, maxBytes: 262144) {
  commit problem isShared commits { sha author authoredAt subject } commitCount
  files { path oldPath status content addedLines removedLines } fileCount addedLines removedLines
  diff omittedFromDiff
} }`)
