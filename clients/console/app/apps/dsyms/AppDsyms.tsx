/** The dSYMs of an app, and the uploads that may bring more. */
import { graphql } from '../../data/graphql.ts'
import { useOnTransition } from '../../data/useOnTransition.ts'
import { usePagedList } from '../../data/usePagedList.ts'
import { messages } from '../../messages.ts'
import { ObjectList } from '../../parts/lists/ObjectList.tsx'
import { EmptyState } from '../../parts/notices/EmptyState.tsx'
import { UploadGuide } from '../UploadGuide.tsx'
import { OpenUploads } from '../uploads/OpenUploads.tsx'
import { dsymColumns, dsymRowFragment } from './dsymColumns.tsx'

const texts = messages.dsyms

const dsymsQuery = graphql(
  `query ($after: String, $appId: ID!) {
  dsyms(first: 30, after: $after, appId: $appId) {
    totalCount pageInfo { hasNextPage endCursor } nodes { ...DsymRowFields }
  }
}`,
  [dsymRowFragment],
)

export function AppDsyms({ appId }: { readonly appId: string }) {
  const list = usePagedList(dsymsQuery, 'dsyms', { appId }, ({ id }) => id, { pauseMs: 1_000 })
  useOnTransition('DSYM', list.refresh)
  return (
    <>
      <OpenUploads />
      <ObjectList
        label={texts.title}
        list={list}
        getId={({ id }) => id}
        isFiltered={false}
        empty={
          <EmptyState title={texts.none}>
            <UploadGuide />
          </EmptyState>
        }
        columns={dsymColumns}
      />
    </>
  )
}
