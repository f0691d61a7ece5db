/** The columns of a table of builds. */
import { graphql, type ResultOf } from '../data/graphql.ts'
import { messages } from '../messages.ts'
import { formatDuration } from '../parts/formatDuration.ts'
import type { Column } from '../parts/lists/ObjectTable.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { shortCommit } from './build.ts'
import { formatPercent } from './formatCoverage.ts'

const texts = messages.builds

export const rowFragment = graphql(`fragment BuildRowFields on Build {
  id displayNumber name status commit requestedCommit createdAt durationMs coverage { percent }
  agent { id name } repository { id owner name }
}`)

export const buildColumns: readonly Column<ResultOf<typeof rowFragment>>[] = [
  {
    name: texts.build,
    render: ({ id, name, displayNumber, repository }) => (
      <>
        <a class="item-name" href={`/builds/${id}`}>
          {name} {displayNumber}
        </a>
        <p class="hint">
          {repository.owner}/{repository.name}
        </p>
      </>
    ),
  },
  { name: messages.parts.filters.status, render: ({ status }) => <StatusBadge status={status} /> },
  { name: texts.commit, isWide: true, render: (build) => <code>{shortCommit(build)}</code> },
  {
    name: texts.coverage.title,
    isWide: true,
    render: ({ coverage }) => formatPercent(coverage?.percent ?? null),
  },
  {
    name: texts.machine,
    isWide: true,
    render: ({ agent }) => <a href={`/machines/${agent.id}`}>{agent.name}</a>,
  },
  {
    name: texts.duration,
    isWide: true,
    render: ({ durationMs }) => (durationMs === null ? '–' : formatDuration(durationMs)),
  },
  { name: texts.created, isWide: true, render: ({ createdAt }) => <RelativeTime at={createdAt} /> },
]
