/** The messages between the process and the thread that reads a zip. The thread has no access to the storage: it asks for bytes. */
import type { MachOSlice } from '../dsymFiles/readMachO.ts'
import type { BytesAnswer, BytesRequest } from '../dsymFiles/requestedBytes.ts'
import type { BundleFacts } from './infoPlist.ts'

export interface ListedBundle {
  /** The path in the zip. */
  readonly path: string
  /** Undefined if it has no readable `Info.plist`. */
  readonly facts: BundleFacts | undefined
  readonly symbols: readonly { readonly path: string; readonly size: number }[]
}

export interface ListedZip {
  readonly bundles: readonly ListedBundle[]
  readonly links: readonly string[]
}

export type ToZipThread =
  | {
      readonly type: 'list'
      /** The name of the blob. */
      readonly blob: string
      readonly size: number
      readonly files: number
      readonly bundles: number
      readonly bytes: number
    }
  /** Unpacks a file of the zip to a new file of the disk, and reads its headers. */
  | { readonly type: 'extract'; readonly path: string; readonly to: string }
  | BytesAnswer

export type ZipThreadAnswer =
  | { readonly type: 'listed'; readonly zip: ListedZip }
  | { readonly type: 'extracted'; readonly slices: readonly MachOSlice[] }
  /** The file is no Mach-O file. The message completes "The file …". */
  | { readonly type: 'unreadable'; readonly problem: string }
  /** The disk to which files are unpacked has failed, for example because it is full. */
  | { readonly type: 'failed'; readonly problem: string }
  /** The message completes "The zip …". */
  | { readonly type: 'refused'; readonly problem: string }

export type FromZipThread = BytesRequest | ZipThreadAnswer
