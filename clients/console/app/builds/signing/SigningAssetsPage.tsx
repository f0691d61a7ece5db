/** All signing assets, updated live. */
import { graphql } from '../../data/graphql.ts'
import { useOnTransition } from '../../data/useOnTransition.ts'
import { usePagedList } from '../../data/usePagedList.ts'
import { messages } from '../../messages.ts'
import { ActionButton } from '../../parts/forms/ActionButton.tsx'
import { ObjectList } from '../../parts/lists/ObjectList.tsx'
import { EmptyState } from '../../parts/notices/EmptyState.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { useDocumentTitle } from '../../parts/useDocumentTitle.ts'
import { useDialog } from '../../state/dialogStore.ts'
import { BuildTabs } from '../BuildTabs.tsx'
import { ExpiryBadge } from './ExpiryBadge.tsx'
import { NewAssetDialog } from './NewAssetDialog.tsx'
import { assetRowFragment } from './signingAsset.ts'

const texts = messages.signing

const assetsQuery = graphql(
  `query ($after: String) {
  signingAssets(first: 30, after: $after) {
    totalCount nodes { ...SigningAssetRowFields } pageInfo { hasNextPage endCursor }
  }
}`,
  [assetRowFragment],
)

export function SigningAssetsPage() {
  useDocumentTitle([texts.title])
  const list = usePagedList(assetsQuery, 'signingAssets', {}, ({ id }) => id, { pauseMs: 1_000 })
  const { dialog, open, close } = useDialog<'new'>()
  useOnTransition('SIGNING_ASSET', list.refresh)
  const add = (
    <ActionButton look="primary" onClick={() => open('new')}>
      {texts.add}
    </ActionButton>
  )
  return (
    <section>
      <div class="heading-row">
        <h1>{texts.title}</h1>
        {add}
      </div>
      <BuildTabs current="/signing-assets" />
      <ObjectList
        label={texts.title}
        list={list}
        getId={({ id }) => id}
        isFiltered={false}
        empty={
          <EmptyState title={texts.none}>
            <p>{texts.noneHint}</p>
          </EmptyState>
        }
        columns={[
          {
            name: texts.name,
            render: ({ id, name, kind }) => (
              <>
                <a class="item-name" href={`/signing-assets/${id}`}>
                  {name}
                </a>
                <p class="hint">{texts.kinds[kind]}</p>
              </>
            ),
          },
          {
            name: texts.expiry,
            render: ({ status, expiresAt }) =>
              status === 'ACTIVE' ? <ExpiryBadge at={expiresAt} /> : <StatusBadge status={status} />,
          },
          { name: texts.team, isWide: true, render: ({ teamId }) => teamId ?? '–' },
          { name: texts.usedBy, isWide: true, render: ({ uses }) => uses.totalCount },
        ]}
      />
      {dialog && <NewAssetDialog onClose={close} />}
    </section>
  )
}
