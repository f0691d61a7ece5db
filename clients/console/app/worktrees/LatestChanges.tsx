/** The changes of the latest ended run in its worktree. */
import { graphql } from '../data/graphql.ts'
import { useQuery } from '../data/useQuery.ts'
import { format, formatNumber, messages } from '../messages.ts'

const { changes: texts } = messages.worktrees

const changesQuery = graphql(
  'query ($id: ID!) { run(id: $id) { title changes { commitCount fileCount addedLines removedLines } } }',
)

export function LatestChanges({ runId }: { readonly runId: string }) {
  const { data } = useQuery(changesQuery, { id: runId })
  if (!data?.run) return null
  const { title, changes } = data.run
  return (
    <>
      {changes ? <ChangeCounts {...changes} /> : texts.none} · <a href={`/runs/${runId}`}>{title}</a>
    </>
  )
}

interface ChangeCountsProps {
  readonly commitCount: number
  readonly fileCount: number
  readonly addedLines: number
  readonly removedLines: number
}

function ChangeCounts({ commitCount, fileCount, addedLines, removedLines }: ChangeCountsProps) {
  return (
    <>
      {format(texts.files, { count: fileCount })} <span class="added">+{formatNumber(addedLines)}</span>{' '}
      <span class="removed">−{formatNumber(removedLines)}</span>
      {commitCount > 0 && `, ${format(texts.commits, { count: commitCount })}`}
    </>
  )
}
