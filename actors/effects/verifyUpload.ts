import type { BlobHashes } from '../../storage/ports/blobHashes.ts'
import type { Blobs } from '../../storage/ports/blobs.ts'
import type { EffectHandler } from '../outbox/dispatcher.ts'
import type { Clock } from '../ports/clock.ts'

/**
 * The longest time that one attempt waits for the checksum, ms. A claim lasts 30 s: with a longer attempt, another process would hash the same
 * bytes too. If the checksum is not ready, the effect reports the number of hashed bytes and ends. Hashing goes on in the background, and the
 * actor requests the next effect.
 */
const attemptMs = 15_000

export interface VerifyUploadPorts {
  readonly blobs: Pick<Blobs, 'size'>
  readonly hashes: Pick<BlobHashes, 'digest' | 'covered'>
  readonly clock: Clock
}

interface VerifyUpload {
  /** The name of the blob. */
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** If a process ends during the effect, the answer is `interrupted`. Otherwise another process begins again. */
  readonly endsWithItsProcess?: true
}

/** Computes the SHA-256 of the bytes of an upload. A repeat continues from the bytes that this process has hashed. Another process begins again. */
export function verifyUpload({ blobs, hashes, clock }: VerifyUploadPorts): EffectHandler {
  return async ({ params, interruptions }) => {
    const { name, size, endsWithItsProcess } = params as unknown as VerifyUpload
    if (endsWithItsProcess && interruptions > 0) return { type: 'interrupted' }
    try {
      const stored = (await blobs.size(name)) ?? 0
      if (stored < size) return { type: 'bytesLost', stored }
      const late = Promise.withResolvers<undefined>()
      const cancel = clock.after(attemptMs, () => late.resolve(undefined))
      const sha256 = await Promise.race([hashes.digest(name, size), late.promise]).finally(cancel)
      if (sha256 === undefined) return { type: 'verifyProgressed', verified: hashes.covered(name) }
      return { type: 'verified', sha256 }
    } catch (error) {
      return { type: 'verifyDelayed', message: error instanceof Error ? error.message : String(error) }
    }
  }
}
