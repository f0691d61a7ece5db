/** The published versions of a workflow, each with its definition as YAML. They are read when the reader opens them. */
import { useState } from 'preact/hooks'
import { graphql, type ResultOf } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import { useAsyncData, useQuery } from '../../data/useQuery.ts'
import { format, messages } from '../../messages.ts'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { Loading } from '../../parts/notices/Loading.tsx'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import { toWorkflowInput, workflowDefinitionFragment } from './workflowInput.ts'

const texts = messages.workflows

const versionsQuery = graphql(`query ($id: ID!) { workflow(id: $id) { versions(first: 20) {
  totalCount edges { cursor node {
    version publishedAt publishedBy {
      ... on User { name } ... on ApiKey { name } ... on Schedule { name } ... on Integration { name }
      ... on PlanRun { title } ... on SessionRun { title } ... on WorkflowRun { title }
    }
  } }
} } }`)
const definitionQuery = graphql(
  `query ($id: ID!, $after: String) { workflow(id: $id) { versions(first: 1, after: $after) {
    nodes { definition { ...WorkflowDefinitionFields } }
  } } }`,
  [workflowDefinitionFragment],
)

type Version = NonNullable<ResultOf<typeof versionsQuery>['workflow']>['versions']['edges'][number]['node']

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
  if (data === undefined) return <Loading />
  const { totalCount = 0, edges = [] } = data.workflow?.versions ?? {}
  return (
    <>
      {edges.map(({ node }, index) => (
        <VersionEntry
          key={node.version}
          workflowId={workflowId}
          version={node}
          after={edges[index - 1]?.cursor ?? null}
        />
      ))}
      {totalCount > edges.length && (
        <p class="hint">{format(messages.parts.firstOf, { shown: edges.length, total: totalCount })}</p>
      )}
    </>
  )
}

interface VersionEntryProps {
  readonly workflowId: string
  readonly version: Version
  /** The cursor of the newer version. Null for the newest one. */
  readonly after: string | null
}

function VersionEntry({ workflowId, version: { version, publishedAt, publishedBy }, after }: VersionEntryProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details
      onToggle={(event) => {
        event.stopPropagation()
        setIsOpen(event.currentTarget.open)
      }}
    >
      <summary>
        {format(texts.versionNumber, { number: version })}{' '}
        <span class="hint">
          {publishedBy && ('name' in publishedBy ? publishedBy.name : publishedBy.title)}{' '}
          <RelativeTime at={publishedAt} />
        </span>
      </summary>
      {isOpen && <VersionText workflowId={workflowId} version={version} after={after} />}
    </details>
  )
}

type VersionTextProps = Omit<VersionEntryProps, 'version'> & { readonly version: number }

function VersionText({ workflowId, version, after }: VersionTextProps) {
  const { data, error } = useAsyncData(`${workflowId} version ${version}`, async () => {
    const { workflow } = await requestGraphql(definitionQuery, { id: workflowId, after })
    const { toYaml } = await import('./workflowYaml.ts')
    return workflow?.versions.nodes.map(({ definition }) => toYaml(toWorkflowInput(definition))).join('')
  })
  if (error) return <ErrorMessage error={error} retriesAutomatically />
  return data === undefined ? <Loading /> : <pre class="run-task code">{data}</pre>
}
