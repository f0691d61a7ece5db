/** One dSYM: its app and build, and the images whose symbols it has. */
import { graphql, type ResultOf } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import { useOnActorTransition } from '../../data/useOnActorTransition.ts'
import { useQuery } from '../../data/useQuery.ts'
import { format, messages } from '../../messages.ts'
import { Fact } from '../../parts/Fact.tsx'
import { ForeignText } from '../../parts/ForeignText.tsx'
import { ObjectTable } from '../../parts/lists/ObjectTable.tsx'
import { ObjectPage } from '../../parts/ObjectPage.tsx'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { showControls } from '../../parts/splitControls.ts'
import { formatBuild } from '../app.ts'
import { DeleteButton } from '../DeleteButton.tsx'
import { imageColumns } from './imageColumns.tsx'

const texts = messages.dsyms

const dsymQuery = graphql(`query ($id: ID!) {
  dsym(id: $id) {
    id status name bundleIdentifier version build createdAt app { id name } images { name uuid arch }
  }
}`)
const deleteMutation = graphql('mutation ($id: ID!) { deleteDsym(input: { dsymId: $id }) { dsym { id } } }')

type Dsym = NonNullable<ResultOf<typeof dsymQuery>['dsym']>

export function DsymPage({ id }: { readonly id: string }) {
  const { data, error, refresh } = useQuery(dsymQuery, { id })
  useOnActorTransition(id, refresh)
  const dsym = data?.dsym
  return (
    <ObjectPage
      object={dsym}
      error={error}
      title={[dsym && showControls(`${dsym.name} ${formatBuild(dsym)}`), texts.title]}
      notFoundMessage={format(texts.noSuchDsym, { id })}
      crumbs={
        <>
          <a href="/apps">{messages.apps.title}</a>
          {dsym?.app && (
            <a href={`/apps/${dsym.app.id}/dsyms`}>
              <ForeignText text={dsym.app.name} />
            </a>
          )}
        </>
      }
    >
      {(dsym) => <DsymView dsym={dsym} />}
    </ObjectPage>
  )
}

function DsymView({ dsym }: { readonly dsym: Dsym }) {
  const { id, name, status, bundleIdentifier, app, createdAt, images } = dsym
  return (
    <>
      <h1>
        <ForeignText text={name} />
      </h1>
      <p class="lead">
        <StatusBadge status={status} />
        <a href={`/actors/${id}`}>{messages.work.lifecycle}</a>
      </p>
      {status === 'DELETED' ? (
        <p class="notice">{texts.deleted}</p>
      ) : (
        <DeleteButton
          name={name}
          texts={texts}
          onDelete={async () => {
            await requestGraphql(deleteMutation, { id })
          }}
        />
      )}
      <dl class="facts">
        <Fact name={messages.apps.app}>
          {app === null ? (
            texts.noApp
          ) : (
            <a href={`/apps/${app.id}`}>
              <ForeignText text={app.name} />
            </a>
          )}
        </Fact>
        <Fact name={messages.apps.build}>
          <ForeignText text={formatBuild(dsym)} />
        </Fact>
        {bundleIdentifier !== null && (
          <Fact name={messages.apps.bundleIdentifier}>
            <ForeignText text={bundleIdentifier} isCode />
          </Fact>
        )}
        <Fact name={texts.uploaded}>
          <RelativeTime at={createdAt} />
        </Fact>
      </dl>
      <h2>{texts.images}</h2>
      <ObjectTable label={texts.images} items={images} columns={imageColumns} getId={({ uuid }) => uuid} />
    </>
  )
}
