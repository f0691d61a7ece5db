/** The messages between the fuzzer and the thread that reads its files. */
import type { FileOutcome } from './fuzzedReader.ts'

export interface ReaderThreadData {
  /** The module with `fuzzedReaders`. */
  readonly module: string
  readonly reader: string
  readonly sources: readonly string[]
  /** One number: the index of the file that is being read. */
  readonly place: SharedArrayBuffer
}

export type ToReaderThread =
  | { readonly type: 'files'; readonly files: readonly Uint8Array[] }
  /** Collects garbage. */
  | { readonly type: 'collect' }

export type FromReaderThread =
  | { readonly type: 'ready' }
  | {
      readonly type: 'outcomes'
      readonly outcomes: readonly FileOutcome[]
      /** The indexes of files that executed other parts of the reader than all before. */
      readonly covering: readonly number[]
    }
  | {
      readonly type: 'collected'
      /** Bytes of memory of the thread. */
      readonly memory: number
      /** Characters of the reader's modules. */
      readonly coverage: { readonly all: number; readonly executed: number }
    }
