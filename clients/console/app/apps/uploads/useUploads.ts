/** The uploads of dSYMs with one of some statuses, updated live. */
import type { dsymUploadStatuses } from '../../../../../spec/apps/dsymUploads.ts'
import { graphql } from '../../data/graphql.ts'
import { useOnTransition } from '../../data/useOnTransition.ts'
import { type PagedList, usePagedList } from '../../data/usePagedList.ts'
import { type DsymUpload, uploadFragment } from './dsymUpload.ts'

const uploadsQuery = graphql(
  `query ($after: String, $statuses: [DsymUploadStatus!]) {
  dsymUploads(first: 20, after: $after, statuses: $statuses) {
    totalCount pageInfo { hasNextPage endCursor } nodes { ...DsymUploadFields }
  }
}`,
  [uploadFragment],
)

/** @param statuses null for all */
export function useUploads(statuses: readonly (typeof dsymUploadStatuses)[number][] | null): PagedList<DsymUpload> {
  const list = usePagedList(uploadsQuery, 'dsymUploads', { statuses }, ({ id }) => id, { pauseMs: 500 })
  // An upload has a transition for each chunk of 16 MiB, and for each dSYM that is indexed.
  useOnTransition('DSYM_UPLOAD', list.refresh)
  return list
}
