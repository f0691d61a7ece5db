/**
 * Attempts to write the symbol table of a slice in the present version, as blobs. An attempt that has begun keeps other servers from the same
 * work. If its server ends, it can be replaced after a day, so that a slice which ends its server does not do so again and again. A failed
 * attempt stays: the slice is not tried again in this version.
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

/** @returns false if another server has begun an attempt. Two servers on one shared folder can both begin, and then write the same bytes */
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
