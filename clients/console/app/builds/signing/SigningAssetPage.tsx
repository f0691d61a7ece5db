/** One signing asset: its facts, its variables, and the build configurations that name it. */
import { graphql } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import { useOnActorTransition } from '../../data/useOnActorTransition.ts'
import { useQuery } from '../../data/useQuery.ts'
import { format, messages } from '../../messages.ts'
import { Fact } from '../../parts/Fact.tsx'
import { formatBytes } from '../../parts/formatBytes.ts'
import { ActionButton } from '../../parts/forms/ActionButton.tsx'
import { ConfirmDialog } from '../../parts/forms/ConfirmDialog.tsx'
import { NameDialog } from '../../parts/forms/NameDialog.tsx'
import { ObjectPage } from '../../parts/ObjectPage.tsx'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { useDialog } from '../../state/dialogStore.ts'
import { AssetFileFields } from './AssetFileFields.tsx'
import { ExpiryBadge } from './ExpiryBadge.tsx'
import { readAssetForm } from './readAssetForm.ts'
import { SigningAssetFacts } from './SigningAssetFacts.tsx'
import { archiveMutation, assetFragment, renameMutation, replaceMutation, type SigningAsset } from './signingAsset.ts'

const texts = messages.signing

const assetQuery = graphql('query ($id: ID!) { signingAsset(id: $id) { ...SigningAssetFields } }', [assetFragment])

export function SigningAssetPage({ id }: { readonly id: string }) {
  const { data, error, refresh } = useQuery(assetQuery, { id })
  useOnActorTransition(id, refresh)
  return (
    <ObjectPage
      object={data?.signingAsset}
      error={error}
      title={[data?.signingAsset?.name, texts.title]}
      notFoundMessage={format(texts.noSuchAsset, { id })}
      crumbs={<a href="/signing-assets">{texts.title}</a>}
    >
      {(asset) => <SigningAssetView asset={asset} />}
    </ObjectPage>
  )
}

function SigningAssetView({ asset }: { readonly asset: SigningAsset }) {
  const { id, name, variable, kind, status, fileName, size, teamId, expiresAt, updatedAt, uses } = asset
  const isArchived = status === 'ARCHIVED'
  return (
    <>
      <h1>{name}</h1>
      <p class="lead">
        <StatusBadge status={status} />
        <span>{texts.kinds[kind]}</span>
        {status === 'ACTIVE' && <ExpiryBadge at={expiresAt} />}
        <span>
          {messages.work.updated} <RelativeTime at={updatedAt} />
        </span>
        <a href={`/actors/${id}`}>{messages.work.lifecycle}</a>
      </p>
      {!isArchived && <AssetActions asset={asset} />}
      <dl class="facts">
        <Fact name={texts.file}>
          {fileName ?? '–'}
          {size !== null && ` (${formatBytes(size)})`}
        </Fact>
        <Fact name={texts.team}>{teamId === null ? '–' : <code>{teamId}</code>}</Fact>
        <Fact name={texts.variables}>
          <code>SIGNALBOX_SIGNING_{variable}_…</code>
        </Fact>
      </dl>
      <SigningAssetFacts asset={asset} />
      <h2>{texts.usedBy}</h2>
      {uses.totalCount === 0 && <p class="hint">{texts.notUsed}</p>}
      <ul>
        {uses.configurations.map((use) => (
          <li key={use.buildConfigurationId}>
            <a href={`/build-configurations/${use.buildConfigurationId}`}>{use.name}</a>
          </li>
        ))}
      </ul>
    </>
  )
}

function AssetActions({ asset }: { readonly asset: SigningAsset }) {
  const { id: signingAssetId, name, kind, revision: expectedRevision } = asset
  const { dialog, open, close } = useDialog<'replace' | 'rename' | 'archive'>()
  return (
    <div class="run-actions">
      <ActionButton onClick={() => open('replace')}>{texts.replace}</ActionButton>
      <ActionButton onClick={() => open('rename')}>{texts.rename}</ActionButton>
      <ActionButton look="danger" onClick={() => open('archive')}>
        {texts.archive}
      </ActionButton>
      {dialog === 'replace' && (
        <ConfirmDialog
          title={texts.replace}
          confirmLabel={texts.replace}
          onClose={close}
          onConfirm={async (formData) => {
            const file = await readAssetForm(formData)
            await requestGraphql(replaceMutation, { input: { signingAssetId, ...file, expectedRevision } })
          }}
        >
          <p>{texts.replaceHint}</p>
          <AssetFileFields kind={kind} />
        </ConfirmDialog>
      )}
      {dialog === 'rename' && (
        <NameDialog
          title={texts.rename}
          label={texts.name}
          name={name}
          onClose={close}
          onName={async (changed) => {
            await requestGraphql(renameMutation, { input: { signingAssetId, name: changed, expectedRevision } })
          }}
        >
          <p class="hint">{texts.renameHint}</p>
        </NameDialog>
      )}
      {dialog === 'archive' && (
        <ConfirmDialog
          title={format(texts.archiveTitle, { name })}
          confirmLabel={texts.archive}
          look="danger"
          onClose={close}
          onConfirm={async () => {
            await requestGraphql(archiveMutation, { input: { signingAssetId, expectedRevision } })
          }}
        >
          <p>{texts.archiveHint}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
