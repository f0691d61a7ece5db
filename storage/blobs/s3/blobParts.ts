import type { BlobEntry } from '../../ports/blobs.ts'

export interface BlobPage {
  readonly folder: string
  /** Only names after this one. */
  readonly after: string | undefined
  readonly limit: number
}

/** Some bytes of a blob, which are one object. */
export interface BlobPart {
  /** The position of its first byte in the blob. */
  readonly start: number
  readonly size: number
  /** The key of the object. Null for the only part of an empty blob. */
  readonly object: string | null
}

export interface NamedPart extends BlobPart {
  /** Of the blob. */
  readonly name: string
}

/** The parts of blobs: which objects have the bytes of a blob. Each change is atomic and durable when it resolves. */
export interface BlobParts {
  /** All parts of a blob in their order. */
  list(name: string): Promise<readonly BlobPart[]>
  /** The last part. Undefined if there is no blob. */
  last(name: string): Promise<BlobPart | undefined>
  /** The newest writer. 0 if the blob was never fenced. */
  writer(name: string): Promise<number>
  /** From now on, changes by writers with smaller numbers change nothing. */
  fence(name: string, writer: number): Promise<void>
  /** Adds a part at the end of the blob. Returns false, and changes nothing, if the blob does not end there or a newer writer exists. */
  add(name: string, part: BlobPart, writer: number): Promise<boolean>
  /** Replaces the last part, if it still has the size and the object `from`. Returns false otherwise, and if a newer writer exists. */
  replace(name: string, from: BlobPart, to: BlobPart, writer: number): Promise<boolean>
  /**
   * Cuts off the bytes above `size`. Returns the objects that no longer belong to the blob: none if a newer writer exists.
   */
  truncate(name: string, size: number, writer: number): Promise<readonly string[]>
  /** Removes the blob. Returns its objects. */
  remove(name: string): Promise<readonly string[]>
  /** Blobs of a folder in the order of their names, without those of its subfolders. */
  page(page: BlobPage): Promise<readonly BlobEntry[]>
  /** Those of the objects that belong to a blob. */
  known(objects: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * The parts whose objects have a key after `after`, in the order of the keys' bytes, as S3 lists them.
   *
   * @param upTo the last key. Undefined: there is no bound
   */
  between(after: string, upTo: string | undefined, limit: number): Promise<readonly NamedPart[]>
}
