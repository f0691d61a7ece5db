/**
 * Compares blobs and actors: bytes without an actor are deleted, and an upload whose bytes are gone fails. In normal operation nothing is
 * found, because an actor exists before its first byte and deletes its bytes at its end. A restored backup of the database or of the files
 * leaves differences. So does a start with the wrong database, which must not delete the files of the right one.
 */
import type { Logger } from 'pino'
import { hasSymbols } from '../../../../machines/apps/binaryImageKeys.ts'
import type { TypedRow } from '../../../../machines/rows.ts'
import { crashSymbolFolder, crashThreadFolder } from '../../../../spec/apps/crashReports.ts'
import { dsymUploadBlob, dsymUploadFolder } from '../../../../spec/apps/dsymUploads.ts'
import { rawCrashReportFolder } from '../../../../spec/apps/rawCrashReports.ts'
import { uploadBlob, uploadBlobFolder } from '../../../../spec/builds/uploads.ts'
import type { ActorRef, ActorRow } from '../../../../spec/core/actor.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { idOfUuid } from '../../../../spec/core/ids.ts'
import type { ActorKind } from '../../../../spec/core/kinds.ts'
import type { Blobs, PieceComparison } from '../../../../storage/ports/blobs.ts'
import type { System } from '../../../messages.ts'
import { symbolFolder, uuidInBlob } from '../../apps/indexing/symbolBlobs.ts'
import { isOutdated, symbolTableFolder } from '../../apps/indexing/symbolTables.ts'
import { attemptFolder } from '../../apps/indexing/tableRewrites/tableAttempts.ts'
import { crashIdOfRawReport, rawReportExpiresAt } from '../../apps/rawReports/rawCrashReports.ts'
import { crashInBlob } from '../../apps/threads/crashThreads.ts'
import { everyRow } from '../../core/everyRow.ts'
import type { TypedViews } from '../../typedViews.ts'
import type { FirstSeen } from './firstSeen.ts'

const hourMs = 3_600_000
/**
 * Bytes without an actor are kept until this process has seen them for so long: the database may be the wrong one, or an operator restores it
 * after the files.
 */
const orphanMs = 24 * hourMs
/** If more have no actor, and they are the majority in their place, the database is probably the wrong one. */
const mostOrphans = 10
/** The effect that deletes the bytes of an ended actor is retried for some minutes. */
const endedMs = hourMs
const noUuid = '00000000-0000-0000-0000-000000000000'

/** The folders of blobs whose names end with the ID of an actor. */
const folders: readonly { readonly folder: string; readonly kind: ActorKind }[] = [
  { folder: uploadBlobFolder, kind: 'upload' },
  { folder: dsymUploadFolder, kind: 'dsymUpload' },
  { folder: 'run-attachments', kind: 'runAttachment' },
  { folder: 'diff-image-before', kind: 'diffImage' },
  { folder: 'diff-image-after', kind: 'diffImage' },
]

export interface BlobSweepParts {
  readonly blobs: Pick<Blobs, 'pages' | 'size' | 'remove' | 'comparePieces' | 'dropLeftover'>
  readonly views: Pick<TypedViews, 'findMany' | 'list'>
  readonly system: Pick<System, 'ask'>
  readonly clock: { now(): number }
  /** The same one for all sweeps of a process. */
  readonly firstSeen: FirstSeen
  readonly rawCrashReportRetentionDays: number
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
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
  parts.firstSeen.beginSweep()
  let orphans = 0
  for (const { folder, kind } of folders) orphans += await removeOrphans(folder, kind, parts)
  for (const folder of [symbolFolder, symbolTableFolder, attemptFolder])
    orphans += await removeUnusedSymbols(folder, parts)
  for (const folder of [crashThreadFolder, crashSymbolFolder]) orphans += await removeUnusedThreads(folder, parts)
  orphans += await removeRawReports(parts)
  // Each row is read before its bytes, so an upload that grows meanwhile has at least the bytes of its row.
  const uploads = [
    ...(await everyRow(parts.views, { kind: 'upload', statuses: ['RECEIVING', 'VERIFYING', 'READY'] })),
    ...(await everyRow(parts.views, { kind: 'dsymUpload', statuses: ['RECEIVING', 'VERIFYING', 'INDEXING'] })),
  ]
  const pieces = await parts.blobs.comparePieces(parts.clock.now() - orphanMs)
  const lost = await failLost(uploads, pieces, parts)
  return { orphans, lost, leftovers: await dropLeftovers(pieces, parts) }
}

async function dropLeftovers({ leftovers, owned }: PieceComparison, parts: BlobSweepParts): Promise<number> {
  const old = droppable('objects of the storage', leftovers, owned, parts)
  for (const piece of old) await parts.blobs.dropLeftover(piece)
  return old.length
}

/** Those of the names without an owner that may be dropped now. */
function droppable(
  place: string,
  names: readonly string[],
  owned: number,
  { clock, firstSeen, log }: BlobSweepParts,
): readonly string[] {
  // Each of them is seen, so that its age counts.
  const old = names.filter((name) => firstSeen.ageOf(name, clock.now()) >= orphanMs)
  if (names.length <= mostOrphans || names.length <= owned) return old
  log.error({ place, unowned: names.length, owned }, 'most bytes have no actor; is this the database of these files?')
  return []
}

async function removeOrphans(folder: string, kind: ActorKind, parts: BlobSweepParts): Promise<number> {
  const { blobs, views, clock, log } = parts
  let needed = 0
  /** Blobs whose actor has ended, with its status. */
  const ended = new Map<string, string>()
  /** Blobs that no actor has. */
  const unknown: string[] = []
  for await (const page of blobs.pages(folder)) {
    const rows = await views.findMany(page.map(({ name }) => idIn(name)))
    for (const { name, changedAt } of page) {
      const row = rows.get(idIn(name))
      const age = clock.now() - changedAt
      if (row === undefined) {
        if (age >= orphanMs) unknown.push(name)
      } else if (row.kind === kind && !row.columns.terminal) needed++
      else if (age >= endedMs) ended.set(name, row.columns.status)
    }
  }
  const orphans = [...ended.keys(), ...droppable(folder, unknown, needed, parts)]
  for (const name of orphans) {
    await blobs.remove(name)
    log.warn({ blob: name, status: ended.get(name) }, 'blob without an actor removed')
  }
  return orphans.length
}

/**
 * Symbols are needed while a dSYM has them. They are stored before it is recorded, so new ones are kept. A table of an earlier version is
 * needed until the image has one of the present version.
 */
async function removeUnusedSymbols(folder: string, parts: BlobSweepParts): Promise<number> {
  return await removeUnused(folder, parts, {
    ownerOf: (name) => idOfUuid('binaryImage', uuidInBlob(name) ?? noUuid),
    isUsed: (row, name) =>
      hasSymbols((row as TypedRow<'binaryImage'>).context) &&
      (!isOutdated(name) || (row as TypedRow<'binaryImage'>).context.table?.blob === name),
    log: 'symbols that are not used removed',
  })
}

/** Threads are stored before their report is created or symbolicated, so new ones are kept. */
async function removeUnusedThreads(folder: string, parts: BlobSweepParts): Promise<number> {
  return await removeUnused(folder, parts, {
    ownerOf: (name) => crashInBlob(name)?.crashId ?? '',
    isUsed: (row, name) => {
      const symbolication = crashInBlob(name)?.symbolication
      if (row.kind !== 'crashReport') return false
      return symbolication === undefined || (row as TypedRow<'crashReport'>).context.symbols === symbolication
    },
    log: 'threads without a crash report removed',
  })
}

/** Raw reports are stored before their report is created, so new ones are kept. They expire by the age of their report. */
async function removeRawReports(parts: BlobSweepParts): Promise<number> {
  const { clock, rawCrashReportRetentionDays: days } = parts
  const hasRaw = (row: ActorRow): row is TypedRow<'crashReport'> =>
    row.kind === 'crashReport' && (row as TypedRow<'crashReport'>).init.raw !== undefined
  return await removeUnused(rawCrashReportFolder, parts, {
    ownerOf: (name) => crashIdOfRawReport(name) ?? '',
    isUsed: hasRaw,
    isExpired: (row) => hasRaw(row) && rawReportExpiresAt(row, days) <= clock.now(),
    log: 'raw report without a crash report removed',
  })
}

interface BlobOwners {
  ownerOf(name: string): string
  isUsed(owner: ActorRow, name: string): boolean
  /** Whether its time is over. Then it is removed at once, although it is used. */
  isExpired?(owner: ActorRow): boolean
  readonly log: string
}

/**
 * Removes the blobs of a folder that their owners do not use, after 24 hours, and those that have expired.
 * @returns the number of the former
 */
async function removeUnused(
  folder: string,
  parts: BlobSweepParts,
  { ownerOf, isUsed, isExpired = () => false, log: message }: BlobOwners,
): Promise<number> {
  const { blobs, views, clock, log } = parts
  let needed = 0
  const expired: string[] = []
  const unused: string[] = []
  /** Blobs whose owner does not exist. */
  const unknown: string[] = []
  for await (const page of blobs.pages(folder)) {
    const owners = await views.findMany(page.map(({ name }) => ownerOf(name)))
    for (const { name, changedAt } of page) {
      const owner = owners.get(ownerOf(name))
      if (owner !== undefined && isExpired(owner)) expired.push(name)
      else if (owner !== undefined && isUsed(owner, name)) needed++
      else if (clock.now() - changedAt >= orphanMs) (owner === undefined ? unknown : unused).push(name)
    }
  }
  for (const name of expired) await blobs.remove(name)
  if (expired.length > 0) log.info({ folder, count: expired.length }, 'expired blobs removed')
  const isUnused = async (name: string): Promise<boolean> => {
    const owner = (await views.findMany([ownerOf(name)])).get(ownerOf(name))
    return owner === undefined || !isUsed(owner, name)
  }
  let removed = 0
  for (const name of [...unused, ...droppable(folder, unknown, needed + expired.length, parts)]) {
    // The list of a large folder takes long, and an upload may have used the blob meanwhile.
    if (!(await isUnused(name))) continue
    await blobs.remove(name)
    removed++
    log.warn({ blob: name }, message)
  }
  return removed
}

async function failLost(
  uploads: readonly (TypedRow<'upload'> | TypedRow<'dsymUpload'>)[],
  { gaps }: PieceComparison,
  { blobs, system, clock, log }: BlobSweepParts,
): Promise<number> {
  if (gaps === undefined) {
    log.error({}, 'more than 1,000 objects of the database are missing; is it the right bucket?')
    return 0
  }
  const lost: { readonly to: ActorRef; readonly stored: number; readonly offset: number }[] = []
  for (const { kind, id, context } of uploads) {
    const blob = kind === 'upload' ? uploadBlob(id) : dsymUploadBlob(id)
    const stored = Math.min((await blobs.size(blob)) ?? 0, gaps.get(blob) ?? Number.POSITIVE_INFINITY)
    if (stored < context.offset) lost.push({ to: { kind, id }, stored, offset: context.offset })
  }
  for (const [blob, stored] of gaps)
    if (![uploadBlobFolder, dsymUploadFolder].some((folder) => blob.startsWith(`${folder}/`)))
      log.error({ blob, stored }, 'bytes of a file lost')
  // A folder that is not mounted must not end all uploads.
  if (lost.length > 1 && lost.length === uploads.length) {
    log.error({ uploads: lost.length }, 'the storage has the bytes of no upload; is the folder of the blobs mounted?')
    return 0
  }
  let failed = 0
  for (const { to, stored, offset } of lost) {
    const origin = { cause: 'timer', principal: 'system', requestId: 'blob sweep', receivedAt: clock.now() } as const
    try {
      await system.ask({ to, event: { type: 'bytesLost', stored } }, origin)
    } catch (error) {
      // It has ended since its row was read.
      if (error instanceof Failure && error.code === 'FAILED_PRECONDITION') continue
      throw error
    }
    log.error({ uploadId: to.id, stored, offset }, 'bytes of an upload lost')
    failed++
  }
  return failed
}

function idIn(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}
