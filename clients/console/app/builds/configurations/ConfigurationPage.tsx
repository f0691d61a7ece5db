/** One build configuration: its content, its versions and its latest builds. */
import { graphql } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import { useOnActorTransition } from '../../data/useOnActorTransition.ts'
import { useOnTransition } from '../../data/useOnTransition.ts'
import { usePagedList } from '../../data/usePagedList.ts'
import { useAsyncData, useQuery } from '../../data/useQuery.ts'
import { format, messages } from '../../messages.ts'
import { ActionButton } from '../../parts/forms/ActionButton.tsx'
import { ObjectList } from '../../parts/lists/ObjectList.tsx'
import { EmptyState } from '../../parts/notices/EmptyState.tsx'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { Loading } from '../../parts/notices/Loading.tsx'
import { ObjectPage } from '../../parts/ObjectPage.tsx'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { useDialog } from '../../state/dialogStore.ts'
import { ArchiveButton } from '../../work/library/ArchiveButton.tsx'
import { authorFragment, VersionHistory } from '../../work/library/VersionHistory.tsx'
import { buildColumns, rowFragment } from '../buildColumns.tsx'
import { StartBuildDialog } from '../StartBuildDialog.tsx'
import { ConfigurationContent } from './ConfigurationContent.tsx'
import { archiveMutation, type Configuration, configurationFragment, unarchiveMutation } from './configuration.ts'
import { RecentPushes } from './RecentPushes.tsx'

const texts = messages.buildConfigurations

const configurationQuery = graphql('query ($id: ID!) { buildConfiguration(id: $id) { ...BuildConfigurationFields } }', [
  configurationFragment,
])
const buildsQuery = graphql(
  `query ($after: String, $id: ID!) {
  builds(first: 10, after: $after, buildConfigurationId: $id) {
    totalCount nodes { ...BuildRowFields } pageInfo { hasNextPage endCursor }
  }
}`,
  [rowFragment],
)
const versionsQuery = graphql(
  `query ($id: ID!, $after: String) { buildConfiguration(id: $id) { versions(first: 20, after: $after) {
    totalCount edges { cursor node { version createdAt author { ...AuthorFields } } }
  } } }`,
  [authorFragment],
)
const contentQuery = graphql(`query ($id: ID!, $after: String) {
  buildConfiguration(id: $id) { versions(first: 1, after: $after) { nodes { content {
    steps { name command } environment { name value } artifacts artifactRetentionDays timeoutSeconds
    signingAssetIds signingForRuns
    coverageReports { format pattern } onPush { branches worktreeId }
    requirements { platforms architectures tools tags }
    destinations { name command artifact }
  } } } }
}`)

export function ConfigurationPage({ id }: { readonly id: string }) {
  const { data, error, refresh } = useQuery(configurationQuery, { id })
  useOnActorTransition(id, refresh)
  return (
    <ObjectPage
      object={data?.buildConfiguration}
      error={error}
      title={[data?.buildConfiguration?.name, messages.builds.tabs.configurations]}
      notFoundMessage={format(texts.noSuchConfiguration, { id })}
      crumbs={<a href="/build-configurations">{messages.builds.tabs.configurations}</a>}
    >
      {(configuration) => <ConfigurationView configuration={configuration} />}
    </ObjectPage>
  )
}

function ConfigurationView({ configuration }: { readonly configuration: Configuration }) {
  const { id, name, description, status, version, repository, updatedAt, content } = configuration
  const { dialog, open, close } = useDialog<'start'>()
  const isActive = status === 'ACTIVE'
  return (
    <>
      <div class="heading-row">
        <h1>{name}</h1>
        {isActive && (
          <ActionButton look="primary" onClick={() => open('start')}>
            {messages.builds.start}
          </ActionButton>
        )}
      </div>
      <p class="lead">
        <StatusBadge status={status} />
        <a href={`/repositories/${repository.id}`}>
          {repository.owner}/{repository.name}
        </a>
        <span>{format(messages.work.versionNumber, { number: version })}</span>
        <span>
          {messages.work.updated} <RelativeTime at={updatedAt} />
        </span>
        <a href={`/actors/${id}`}>{messages.work.lifecycle}</a>
      </p>
      {description !== '' && <p>{description}</p>}
      <div class="run-actions">
        {isActive && (
          <a class="quiet" href={`/build-configurations/${id}/edit`}>
            {texts.edit}
          </a>
        )}
        <ArchiveButton
          name={name}
          isArchived={status === 'ARCHIVED'}
          texts={texts}
          onArchive={() => requestGraphql(archiveMutation, { id })}
          onUnarchive={() => requestGraphql(unarchiveMutation, { id })}
        />
      </div>
      <ConfigurationContent content={content} assets={configuration.signingAssets} />
      <VersionHistory
        key={version}
        id={`${id} ${version}`}
        readPage={async (after) => (await requestGraphql(versionsQuery, { id, after })).buildConfiguration?.versions}
        renderContent={(number, after) => <VersionContent id={id} version={number} after={after} />}
      />
      <RecentPushes id={id} />
      <h2>{texts.recentBuilds}</h2>
      <RecentBuilds id={id} />
      {dialog && (
        <StartBuildDialog
          configurationId={id}
          name={name}
          hasCoverage={content.coverageReports.length > 0}
          onClose={close}
        />
      )}
    </>
  )
}

function RecentBuilds({ id }: { readonly id: string }) {
  const list = usePagedList(buildsQuery, 'builds', { id }, (build) => build.id, { pauseMs: 1_000 })
  useOnTransition('BUILD', list.refresh)
  return (
    <ObjectList
      label={texts.recentBuilds}
      list={list}
      getId={(build) => build.id}
      isFiltered={false}
      empty={<EmptyState title={messages.builds.none} />}
      columns={buildColumns}
    />
  )
}

interface VersionContentProps {
  readonly id: string
  readonly version: number
  readonly after: string | null
}

function VersionContent({ id, version, after }: VersionContentProps) {
  const { data, error } = useAsyncData(`${id} version ${version}`, () => requestGraphql(contentQuery, { id, after }))
  if (error) return <ErrorMessage error={error} retriesAutomatically />
  const content = data?.buildConfiguration?.versions.nodes[0]?.content
  if (content === undefined) return <Loading />
  return (
    <div class="version-content">
      <ConfigurationContent content={content} />
    </div>
  )
}
