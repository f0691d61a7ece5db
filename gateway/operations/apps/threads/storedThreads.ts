/** The threads and images of a crash report as they are stored. */
import type * as v from 'valibot'
import type { contentInput } from '../../../../spec/apps/crashContent.ts'

export type SentContent = v.InferOutput<ReturnType<typeof v.object<typeof contentInput, undefined>>>
type SentThread = SentContent['threads'][number]

/** A frame as it is stored. After a symbolication it can have more. */
export type StoredFrame = SentThread['frames'][number] & {
  /** The name for the linker. Absent if it is that of the symbol. */
  readonly rawSymbol?: string
  readonly column?: number
  /** Bytes from the start of the function. */
  readonly offset?: number
  /** The call has no code of its own: it is a part of the function in the next frame. */
  readonly isInlined?: true
}

export type StoredImage = SentContent['images'][number] & {
  /** It belongs to the operating system. */
  readonly isSystem?: true
}

export type StoredThread = Omit<SentThread, 'frames'> & { readonly frames: readonly StoredFrame[] }

/** The threads and images of a report, as they are stored. */
export interface CrashContent {
  readonly threads: readonly StoredThread[]
  readonly images: readonly StoredImage[]
}
