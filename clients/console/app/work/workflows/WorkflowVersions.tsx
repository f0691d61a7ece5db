/** The published versions of a workflow. They are read when the reader opens them. */
import { useState } from 'preact/hooks'
import { graphql, type ResultOf } from '../../data/graphql.ts'
import { useAsyncData, useQuery } from '../../data/useQuery.ts'
import { format, messages } from '../../messages.ts'
import { ErrorMessage } from '../../parts/messages/ErrorMessage.tsx'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import { LoadingText } from '../WorkList.tsx'
import { toWorkflowInput, workflowDefinitionFragment } from './workflowInput.ts'

const texts = messages.workflows

const pageSize = 10

const versionsQuery = graphql(
  `query ($id: ID!) { workflow(id: $id) { versions(first: 10) {
    totalCount nodes {
      version publishedAt publishedBy {
        ... on User { name } ... on ApiKey { name } ... on Schedule { name }
        ... on PlanRun { title } ... on SessionRun { title } ... on WorkflowRun { title }
      }
      definition { ...WorkflowDefinitionFields }
    }
  } } }`,
  [workflowDefinitionFragment],
)

type Version = NonNullable<ResultOf<typeof versionsQuery>['workflow']>['versions']['nodes'][number]

export function WorkflowVersions({ workflowId }: { readonly workflowId: string }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details class="disclosure" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{texts.versions}</summary>
      {isOpen && <VersionList workflowId={workflowId} />}
    </details>
  )
}

function VersionList({ workflowId }: { readonly workflowId: string }) {
  const { data, error } = useQuery(versionsQuery, { id: workflowId })
  if (error) return <ErrorMessage error={error} retriesAutomatically />
  if (data === undefined) return <LoadingText />
  const { totalCount = 0, nodes = [] } = data.workflow?.versions ?? {}
  return (
    <>
      {nodes.map((version) => (
        <VersionText key={version.version} version={version} />
      ))}
      {totalCount > pageSize && (
        <p class="hint">{format(messages.work.list.shown, { shown: nodes.length, count: totalCount })}</p>
      )}
    </>
  )
}

function VersionText({ version: { version, publishedAt, publishedBy, definition } }: { readonly version: Version }) {
  const { data } = useAsyncData(`version ${version} ${publishedAt}`, async () => {
    const { toYaml } = await import('./workflowYaml.ts')
    return toYaml(toWorkflowInput(definition))
  })
  return (
    <details>
      <summary>
        {format(texts.versionNumber, { number: version })}{' '}
        <span class="hint">
          {publishedBy && ('name' in publishedBy ? publishedBy.name : publishedBy.title)}{' '}
          <RelativeTime at={publishedAt} />
        </span>
      </summary>
      <pre class="run-task code">{data}</pre>
    </details>
  )
}
