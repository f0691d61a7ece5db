/** One upload of dSYMs: its progress, the dSYMs that were indexed, and the parts of the zip that were not. */
import { StateHistoryStrip } from '../../chart/StateHistoryStrip.tsx'
import { graphql, type ResultOf } from '../../data/graphql.ts'
import { useOnActorTransition } from '../../data/useOnActorTransition.ts'
import { useOnChange } from '../../data/useOnChange.ts'
import { usePagedConnection } from '../../data/usePagedList.ts'
import { useQuery } from '../../data/useQuery.ts'
import { format, messages } from '../../messages.ts'
import { Fact } from '../../parts/Fact.tsx'
import { ForeignText } from '../../parts/ForeignText.tsx'
import { formatBytes } from '../../parts/formatBytes.ts'
import { formatName } from '../../parts/formatName.ts'
import { ObjectTable } from '../../parts/lists/ObjectTable.tsx'
import { ShowMore } from '../../parts/lists/ShowMore.tsx'
import { ObjectPage } from '../../parts/ObjectPage.tsx'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import { showControls } from '../../parts/splitControls.ts'
import { authorFragment } from '../../work/library/VersionHistory.tsx'
import { dsymColumns, dsymRowFragment } from '../dsyms/dsymColumns.tsx'
import { DeleteUpload } from './DeleteUpload.tsx'
import { uploadFragment } from './dsymUpload.ts'
import { UploadState } from './UploadState.tsx'

const { uploads: texts } = messages.dsyms

const uploadQuery = graphql(
  `query ($id: ID!) {
  dsymUpload(id: $id) { ...DsymUploadFields sha256 createdById createdBy { ...AuthorFields } }
}`,
  [uploadFragment, authorFragment],
)

const dsymsQuery = graphql(
  `query ($after: String, $id: ID!) {
  dsymUpload(id: $id) { dsyms(first: 50, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } nodes { ...DsymRowFields }
  } }
}`,
  [dsymRowFragment],
)

const warningsQuery = graphql(`query ($after: String, $id: ID!) {
  dsymUpload(id: $id) { warnings(first: 50, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } edges { cursor node { code bundle message } }
  } }
}`)

type DetailedUpload = NonNullable<ResultOf<typeof uploadQuery>['dsymUpload']>

export function DsymUploadPage({ id }: { readonly id: string }) {
  const { data, error, refresh } = useQuery(uploadQuery, { id })
  useOnActorTransition(id, refresh)
  const upload = data?.dsymUpload
  return (
    <ObjectPage
      object={upload}
      error={error}
      status={upload?.status}
      title={[upload && showControls(upload.name), upload && formatName(upload.status), texts.title]}
      notFoundMessage={format(texts.noSuchUpload, { id })}
      crumbs={
        <>
          <a href="/apps">{messages.apps.title}</a>
          <a href="/dsym-uploads">{texts.title}</a>
        </>
      }
    >
      {(upload) => <UploadView upload={upload} />}
    </ObjectPage>
  )
}

function UploadView({ upload }: { readonly upload: DetailedUpload }) {
  const { id, name, status, size, sha256, createdById, createdBy, createdAt, indexedCount, warningCount } = upload
  return (
    <>
      <h1>
        <ForeignText text={name} />
      </h1>
      <StateHistoryStrip key={id} id={id} status={status} href={`/actors/${id}`} />
      <UploadState upload={upload} />
      <DeleteUpload upload={upload} />
      <dl class="facts">
        <Fact name={texts.size}>{formatBytes(size)}</Fact>
        <Fact name="SHA-256">
          <code>{sha256}</code>
        </Fact>
        <Fact name={texts.createdBy}>
          {createdBy !== null && 'name' in createdBy ? createdBy.name : <span class="id">{createdById}</span>}
        </Fact>
        <Fact name={messages.dsyms.uploaded}>
          <RelativeTime at={createdAt} />
        </Fact>
      </dl>
      <IndexedDsyms id={id} status={status} indexedCount={indexedCount} />
      <Warnings id={id} count={warningCount} />
    </>
  )
}

interface IndexedDsymsProps {
  readonly id: string
  readonly status: string
  readonly indexedCount: number
}

/** A duplicate has the dSYMs of the upload that was indexed first, and has indexed none itself. */
function IndexedDsyms({ id, status, indexedCount }: IndexedDsymsProps) {
  const list = usePagedConnection(
    dsymsQuery,
    (result) => result.dsymUpload?.dsyms,
    { id },
    (dsym) => dsym.id,
  )
  useOnChange(`${status} ${indexedCount}`, list.refreshAll)
  if (!list.items?.length) return null
  return (
    <>
      <h2>{messages.dsyms.title}</h2>
      <ObjectTable label={messages.dsyms.title} items={list.items} columns={dsymColumns} getId={(dsym) => dsym.id} />
      <ShowMore shown={list.items.length} list={list} />
    </>
  )
}

function Warnings({ id, count }: { readonly id: string; readonly count: number }) {
  const list = usePagedConnection(warningsQuery, getWarnings, { id }, ({ cursor }) => cursor)
  useOnChange(count, list.refreshAll)
  if (!list.items?.length) return null
  return (
    <>
      <h2>{texts.warnings}</h2>
      <p class="hint">{texts.warningsHint}</p>
      <ul class="upload-warnings">
        {list.items.map(({ cursor, code, bundle, message }) => (
          <li key={cursor}>
            <strong>{texts.codes[code]}</strong>
            <span class="path">
              <ForeignText text={bundle} isCode />
            </span>
            <span class="hint">
              <ForeignText text={message} />
            </span>
          </li>
        ))}
      </ul>
      <ShowMore shown={list.items.length} list={list} />
    </>
  )
}

function getWarnings({ dsymUpload }: ResultOf<typeof warningsQuery>) {
  if (dsymUpload === null) return undefined
  const { edges, ...page } = dsymUpload.warnings
  return { ...page, nodes: edges.map(({ cursor, node }) => ({ ...node, cursor })) }
}
