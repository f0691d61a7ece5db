/** The files that a build keeps: downloaded by a link of some minutes, pinned, and deleted. */
import { useEffect } from 'preact/hooks'
import { graphql, type ResultOf } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { useOnTransition } from '../data/useOnTransition.ts'
import { usePagedList } from '../data/usePagedList.ts'
import { format, messages } from '../messages.ts'
import { formatBytes } from '../parts/formatBytes.ts'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { ObjectList } from '../parts/lists/ObjectList.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { useDialog } from '../state/dialogStore.ts'
import { useRequest } from '../state/requestStore.ts'
import { InstallDialog } from './InstallDialog.tsx'

const { artifacts: texts } = messages.builds

const artifactsQuery = graphql(`query ($after: String, $buildId: ID!) {
  buildArtifacts(first: 50, after: $after, buildId: $buildId) {
    totalCount nodes { id path size status expiresAt app { title version } problem { message } } pageInfo { hasNextPage endCursor }
  }
}`)
const linksQuery = graphql('query ($buildId: ID!) { buildArtifactLinks(buildId: $buildId) { artifactId downloadUrl } }')
const pinMutation = graphql(
  'mutation ($id: ID!) { pinBuildArtifact(input: { buildArtifactId: $id }) { buildArtifact { id } } }',
)
const unpinMutation = graphql(
  'mutation ($id: ID!) { unpinBuildArtifact(input: { buildArtifactId: $id }) { buildArtifact { id } } }',
)
const deleteMutation = graphql(
  'mutation ($id: ID!) { deleteBuildArtifact(input: { buildArtifactId: $id }) { buildArtifact { id } } }',
)

type Artifact = ResultOf<typeof artifactsQuery>['buildArtifacts']['nodes'][number]

export function BuildArtifacts({ buildId, status }: { readonly buildId: string; readonly status: string }) {
  const list = usePagedList(artifactsQuery, 'buildArtifacts', { buildId }, getId, { pauseMs: 1_000 })
  useOnTransition('BUILD_ARTIFACT', list.refresh)
  // The last files are stored shortly before the build ends.
  useEffect(list.refresh, [status])
  if (list.items?.length === 0) return null
  return (
    <section aria-labelledby="artifacts">
      <h2 id="artifacts">{texts.title}</h2>
      <ObjectList
        label={texts.title}
        list={list}
        getId={getId}
        isFiltered={false}
        empty={null}
        columns={[
          {
            name: texts.file,
            render: ({ path, app, problem }) => (
              <>
                <code>{path}</code>
                {app && (
                  <p class="hint">
                    {app.title} {app.version}
                  </p>
                )}
                {problem && <p class="hint">{problem.message}</p>}
              </>
            ),
          },
          { name: texts.size, isWide: true, render: ({ size }) => formatBytes(size) },
          { name: messages.parts.filters.status, render: ({ status }) => <StatusBadge status={status} /> },
          {
            name: texts.expires,
            isWide: true,
            render: ({ expiresAt }) => (expiresAt === null ? '–' : <RelativeTime at={expiresAt} />),
          },
          {
            name: texts.actions,
            render: (artifact) => <ArtifactActions artifact={artifact} buildId={buildId} />,
          },
        ]}
      />
    </section>
  )
}

function getId({ id }: Artifact): string {
  return id
}

interface ArtifactActionsProps {
  readonly artifact: Artifact
  readonly buildId: string
}

function ArtifactActions({ artifact: { id, path, app, status }, buildId }: ArtifactActionsProps) {
  const { status: requestStatus, error, send } = useRequest<unknown>()
  const { dialog, open, close } = useDialog<'delete' | 'install'>()
  if (status !== 'STORED' && status !== 'PINNED') return null
  const isBusy = requestStatus === 'pending'
  const isInstallable = app !== null || path.endsWith('.apk')
  const download = async () => {
    const { buildArtifactLinks } = await requestGraphql(linksQuery, { buildId })
    const link = buildArtifactLinks.find(({ artifactId }) => artifactId === id)
    if (!link) return
    // The link has the origin by which the build was started. This browser may not reach it, and the page's own origin has the file too.
    const { pathname, search } = new URL(link.downloadUrl)
    // The answer is a file to save, so the page stays.
    location.assign(pathname + search)
  }
  const named = (action: string) => `${action}: ${path}`
  return (
    <div class="run-actions">
      <ActionButton label={named(texts.download)} isBusy={isBusy} onClick={() => void send(download())}>
        {texts.download}
      </ActionButton>
      {isInstallable && (
        <ActionButton label={named(texts.install)} onClick={() => open('install')}>
          {texts.install}
        </ActionButton>
      )}
      {status === 'STORED' ? (
        <ActionButton
          label={named(texts.pin)}
          isBusy={isBusy}
          onClick={() => void send(requestGraphql(pinMutation, { id }))}
        >
          {texts.pin}
        </ActionButton>
      ) : (
        <ActionButton
          label={named(texts.unpin)}
          isBusy={isBusy}
          onClick={() => void send(requestGraphql(unpinMutation, { id }))}
        >
          {texts.unpin}
        </ActionButton>
      )}
      <ActionButton label={named(texts.delete)} look="danger" onClick={() => open('delete')}>
        {texts.delete}
      </ActionButton>
      {error && <ErrorMessage error={error} />}
      {dialog === 'install' && (
        <InstallDialog buildId={buildId} artifactId={id} title={app?.title ?? path} onClose={close} />
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={format(texts.deleteTitle, { path })}
          confirmLabel={texts.delete}
          look="danger"
          onClose={close}
          onConfirm={async () => {
            await requestGraphql(deleteMutation, { id })
          }}
        >
          <p>{texts.deleteHint}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
