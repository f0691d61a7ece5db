/** The revisions of a plan, each with its difference from the one before. They are read when the reader opens them. */
import { useState } from 'preact/hooks'
import { graphql, type ResultOf } from '../../data/graphql.ts'
import { useQuery } from '../../data/useQuery.ts'
import { format, messages } from '../../messages.ts'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { Loading } from '../../parts/notices/Loading.tsx'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import { PlanText } from './PlanText.tsx'
import { UnifiedDiff } from './UnifiedDiff.tsx'

const texts = messages.plans

const revisionsQuery = graphql(`query ($id: ID!) { plan(id: $id) { revisions(first: 20) { totalCount nodes {
  revision text diff runId createdAt author {
    ... on User { name } ... on ApiKey { name } ... on Schedule { name } ... on Integration { name }
    ... on PlanRun { title } ... on SessionRun { title } ... on WorkflowRun { title }
  }
} } } }`)

type Revision = NonNullable<ResultOf<typeof revisionsQuery>['plan']>['revisions']['nodes'][number]

export function PlanRevisions({ planId }: { readonly planId: string }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details class="disclosure" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{texts.revisions}</summary>
      {isOpen && <RevisionList planId={planId} />}
    </details>
  )
}

function RevisionList({ planId }: { readonly planId: string }) {
  const { data, error } = useQuery(revisionsQuery, { id: planId })
  if (error) return <ErrorMessage error={error} retriesAutomatically />
  if (data === undefined) return <Loading />
  const { totalCount = 0, nodes = [] } = data.plan?.revisions ?? {}
  return (
    <>
      {nodes.map((revision) => (
        <RevisionText key={revision.revision} revision={revision} />
      ))}
      {totalCount > nodes.length && (
        <p class="hint">{format(messages.parts.firstOf, { shown: nodes.length, total: totalCount })}</p>
      )}
    </>
  )
}

function RevisionText({
  revision: { revision, text, diff, runId, createdAt, author },
}: {
  readonly revision: Revision
}) {
  const name = author && ('name' in author ? author.name : author.title)
  return (
    <details>
      <summary>
        {format(texts.revisionNumber, { number: revision })}{' '}
        <span class="hint">
          {name} <RelativeTime at={createdAt} />
        </span>
      </summary>
      {runId && (
        <p>
          <a href={`/runs/${runId}`}>{texts.writtenByRun}</a>
        </p>
      )}
      {diff === null ? <PlanText text={text} /> : <UnifiedDiff diff={diff} label={texts.changes} />}
    </details>
  )
}
