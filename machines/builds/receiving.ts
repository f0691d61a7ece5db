/** The bytes of a file on their way to the server, whatever the file is for: its offset, its writers and its checksum. */
import { Failure } from '../../spec/core/failure.ts'

export type UploadProblem = { readonly code: string; readonly message: string }

/** The part of a context that counts the bytes. */
export type Receiving = {
  /** The number of the newest writer. A writer is one request that sends bytes. 0 before the first. */
  readonly writer: number
  /** The bytes that are durably stored. Bytes of the blob above them are not part of the upload. */
  readonly offset: number
  /** When the last byte was stored, ms. Null before the first. */
  readonly lastByteAt: number | null
  /** The bytes of which the checksum has been computed. */
  readonly verified: number
  /** Why the upload failed, or why it could not continue yet. */
  readonly problem: UploadProblem | null
}

export const nothingReceived: Receiving = Object.freeze({
  writer: 0,
  offset: 0,
  lastByteAt: null,
  verified: 0,
  problem: null,
})

export type ReceivingEvent =
  /** A new writer. It replaces the one before, whose `advance` is refused from now on. */
  | { type: 'begin'; at: number }
  /** All bytes below `offset` are durably stored. */
  | { type: 'advance'; at: number; writer: number; offset: number }
  /** The SHA-256 of all bytes, in hexadecimal. */
  | { type: 'verified'; at: number; sha256: string }
  /** The checksum of so many bytes is computed, and the rest follows. */
  | { type: 'verifyProgressed'; at: number; verified: number }
  /** The bytes cannot be read now. */
  | { type: 'verifyDelayed'; at: number; message: string }
  /** The storage has fewer bytes than the offset states. */
  | { type: 'bytesLost'; at: number; stored: number }

type Change = { readonly set: Partial<Receiving> }

export const replaceWriter = ({ writer }: Receiving): Change => ({ set: { writer: writer + 1 } })

export const advance = (_: Receiving, { at, offset }: { readonly at: number; readonly offset: number }): Change => ({
  set: { offset, lastByteAt: at },
})

export const noteProgress = (_: Receiving, { verified }: { readonly verified: number }): Change => ({
  set: { verified, problem: null },
})

export const noteDelay = (_: Receiving, { message }: { readonly message: string }): Change => ({
  set: { problem: { code: 'STORAGE_UNAVAILABLE', message } },
})

export const checksumMismatch = (computed: string, declared: string): UploadProblem => ({
  code: 'CHECKSUM_MISMATCH',
  message: `The bytes have the SHA-256 ${computed}, and ${declared} was declared. Upload the file again.`,
})

export const bytesLost = (stored: number, { offset }: Receiving): UploadProblem => ({
  code: 'BYTES_LOST',
  message: `The storage has ${stored} of ${offset} bytes. Upload the file again.`,
})

/** An open upload accepts an offset only from its newest writer, and only a higher one. */
export function refuseAdvance(
  { offset, writer }: Receiving,
  size: number,
  given: { readonly writer: number; readonly offset: number },
): Failure | undefined {
  const details = { offset, writer }
  if (given.writer !== writer)
    return new Failure('CONFLICT', 'A newer request continues this upload, so this one has ended.', { details })
  if (given.offset > offset && given.offset <= size) return undefined
  return new Failure('CONFLICT', `The upload has ${offset} of ${size} bytes, and cannot advance to ${given.offset}.`, {
    details,
  })
}

/** Whether an `advance` repeats the last one. */
export const repeatsAdvance = (
  { writer, offset }: Receiving,
  given: { readonly writer: number; readonly offset: number },
): boolean => given.writer === writer && given.offset === offset && offset > 0
