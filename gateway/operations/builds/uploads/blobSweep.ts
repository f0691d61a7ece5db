/**
 * Compares blobs and actors: bytes without an actor are deleted, and an upload whose bytes are gone fails. In normal operation nothing is
 * found, because an actor exists before its first byte and deletes its bytes at its end. A restored backup of the database or of the files
 * leaves differences.
 */
import type { Logger } from 'pino'
import { uploadBlob, uploadBlobFolder } from '../../../../spec/builds/uploads.ts'
import type { ActorKind } from '../../../../spec/core/kinds.ts'
import type { Blobs } from '../../../../storage/ports/blobs.ts'
import type { System } from '../../../messages.ts'
import { everyRow } from '../../core/everyRow.ts'
import type { TypedViews } from '../../typedViews.ts'

const hourMs = 3_600_000
/** Bytes without an actor are kept this long: an operator who restores a backup may restore the database after the files. */
const orphanMs = 24 * hourMs
/** The effect that deletes the bytes of an ended actor is retried for some minutes. */
const endedMs = hourMs
const pageSize = 500

/** The folders of blobs whose names end with the ID of an actor. */
const folders: readonly { readonly folder: string; readonly kind: ActorKind }[] = [
  { folder: uploadBlobFolder, kind: 'upload' },
  { folder: 'run-attachments', kind: 'runAttachment' },
  { folder: 'diff-image-before', kind: 'diffImage' },
  { folder: 'diff-image-after', kind: 'diffImage' },
]

export interface BlobSweepParts {
  readonly blobs: Pick<Blobs, 'list' | 'size' | 'remove' | 'dropLeftovers'>
  readonly views: Pick<TypedViews, 'findMany' | 'list'>
  readonly system: Pick<System, 'ask'>
  readonly clock: { now(): number }
  readonly log: Pick<Logger, 'warn' | 'error'>
}

export interface BlobSweepResult {
  /** Blobs that were deleted because no actor needs them. */
  readonly orphans: number
  /** Uploads that failed because their bytes are gone. */
  readonly lost: number
  /** Objects of the storage that belonged to no blob. */
  readonly leftovers: number
}

export async function sweepBlobs(parts: BlobSweepParts): Promise<BlobSweepResult> {
  let orphans = 0
  for (const { folder, kind } of folders) orphans += await removeOrphans(folder, kind, parts)
  const lost = await failLost(parts)
  const leftovers = await parts.blobs.dropLeftovers(parts.clock.now() - orphanMs)
  return { orphans, lost, leftovers }
}

async function removeOrphans(
  folder: string,
  kind: ActorKind,
  { blobs, views, clock, log }: BlobSweepParts,
): Promise<number> {
  let removed = 0
  for (let after: string | undefined; ; ) {
    const page = await blobs.list({ folder, limit: pageSize, ...(after === undefined ? {} : { after }) })
    const rows = await views.findMany(page.map(({ name }) => idIn(name)))
    for (const { name, changedAt } of page) {
      const row = rows.get(idIn(name))
      const isNeeded = row?.kind === kind && !row.columns.terminal
      const age = clock.now() - changedAt
      if (isNeeded || age < (row === undefined ? orphanMs : endedMs)) continue
      await blobs.remove(name)
      removed++
      log.warn({ blob: name, status: row?.columns.status }, 'blob without an actor removed')
    }
    after = page.at(-1)?.name
    if (page.length < pageSize || after === undefined) return removed
  }
}

async function failLost({ blobs, views, system, clock, log }: BlobSweepParts): Promise<number> {
  // Each row is read before its blob, so an upload that grows meanwhile has at least the bytes of its row.
  const rows = await everyRow(views, { kind: 'upload', statuses: ['RECEIVING', 'VERIFYING', 'READY'] })
  const lost: { readonly id: string; readonly stored: number; readonly offset: number }[] = []
  for (const { id, context } of rows) {
    const stored = (await blobs.size(uploadBlob(id))) ?? 0
    if (stored < context.offset) lost.push({ id, stored, offset: context.offset })
  }
  // A folder that is not mounted must not end all uploads.
  if (lost.length > 1 && lost.length === rows.length) {
    log.error({ uploads: lost.length }, 'the storage has the bytes of no upload; is the folder of the blobs mounted?')
    return 0
  }
  for (const { id, stored, offset } of lost) {
    log.error({ uploadId: id, stored, offset }, 'bytes of an upload lost')
    const origin = { cause: 'timer', principal: 'system', requestId: 'blob sweep', receivedAt: clock.now() } as const
    await system.ask({ to: { kind: 'upload', id }, event: { type: 'bytesLost', stored } }, origin)
  }
  return lost.length
}

function idIn(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}
