/** The time at which an upload is deleted if nothing continues it, ms. Undefined if the upload does not wait for its sender. */
import type { TypedRow } from '../../../../machines/rows.ts'
import { unfinishedUploadMs } from '../../../../spec/builds/uploads.ts'

export function expiryOf({ columns, init, context, changedAt }: TypedRow<'dsymUpload'>): number | undefined {
  const isOpen = columns.status === 'CREATED' || columns.status === 'RECEIVING'
  if (isOpen) return (context.lastByteAt ?? init.createdAt) + unfinishedUploadMs
  // An interrupted one has had no transition since it failed.
  return columns.status === 'FAILED' && !columns.terminal ? changedAt + unfinishedUploadMs : undefined
}
