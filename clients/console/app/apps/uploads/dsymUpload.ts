/** An upload of dSYMs as the pages show it, and how far it is. */
import { graphql, type ResultOf } from '../../data/graphql.ts'

export const uploadFragment = graphql(`fragment DsymUploadFields on DsymUpload {
  id name size status offset verifiedBytes bundleCount indexedCount duplicateOfId canBeDeleted createdAt expiresAt
  problem { code message } warningCount
}`)

export type DsymUpload = ResultOf<typeof uploadFragment>

export const deleteMutation = graphql(
  'mutation ($id: ID!) { deleteDsymUpload(input: { dsymUploadId: $id }) { dsymUpload { id } } }',
)

export type UploadProgress =
  | {
      readonly phase: 'WAITING' | 'RECEIVING' | 'VERIFYING' | 'INDEXING'
      readonly done: number
      readonly total: number
    }
  /** The number of dSYMs is not known before the zip is opened. */
  | { readonly phase: 'OPENING' }

/** Returns how far an upload is. Undefined if it has ended, or has failed. */
export function measureProgress(
  upload: Pick<DsymUpload, 'status' | 'size' | 'offset' | 'verifiedBytes' | 'bundleCount' | 'indexedCount'>,
): UploadProgress | undefined {
  const { status, size, offset, verifiedBytes, bundleCount, indexedCount } = upload
  switch (status) {
    case 'CREATED':
      return { phase: 'WAITING', done: 0, total: size }
    case 'RECEIVING':
      return { phase: status, done: offset, total: size }
    case 'VERIFYING':
      return { phase: status, done: verifiedBytes, total: size }
    case 'INDEXING':
      return bundleCount === null ? { phase: 'OPENING' } : { phase: status, done: indexedCount, total: bundleCount }
    default:
      return undefined
  }
}
