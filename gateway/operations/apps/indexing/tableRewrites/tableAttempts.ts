/**
 * Attempts to write the symbol table of a slice in the present version, as blobs. While an attempt exists, other servers leave the slice alone.
 * If its server has ended, the attempt is replaced after a day. So a slice that crashes its server does so once a day at most. A failed
 * attempt stays, and the slice is not tried again in this version.
 */
import type { Blobs } from '../../../../../storage/ports/blobs.ts'
import { tableVersion } from '../../symbols/tableFormat.ts'
import type { StoredSymbols } from '../symbolBlobs.ts'

/** The first component of the names of all blobs of attempts. */
export const attemptFolder = 'symbol-attempts'

export function attemptBlob({ uuid, arch, size }: StoredSymbols): string {
  return `${attemptFolder}/${uuid.toLowerCase()}-${arch.toLowerCase()}-${size}-v${tableVersion}`
}

export const failureBlob = (symbols: StoredSymbols): string => `${attemptBlob(symbols)}-failed`

/** @returns false if another server has begun an attempt. On a shared folder two servers can both begin. Then they write the same bytes */
export async function beginAttempt(symbols: StoredSymbols, blobs: Pick<Blobs, 'append'>): Promise<boolean> {
  return await create(attemptBlob(symbols), 'begun', blobs)
}

export async function endAttempt(symbols: StoredSymbols, blobs: Pick<Blobs, 'remove'>): Promise<void> {
  await blobs.remove(attemptBlob(symbols))
}

/** @param problem completes "The symbols …" */
export async function noteUnreadable(
  symbols: StoredSymbols,
  problem: string,
  blobs: Pick<Blobs, 'append'>,
): Promise<void> {
  await create(failureBlob(symbols), problem, blobs)
}

/** @returns false if the blob exists */
async function create(name: string, content: string, blobs: Pick<Blobs, 'append'>): Promise<boolean> {
  try {
    await blobs.append(name, 0, Buffer.from(content))
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
