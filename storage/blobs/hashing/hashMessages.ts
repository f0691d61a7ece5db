/** The messages between the main thread and a thread that hashes. Each request has one answer with its number. */

export type HashRequest = { readonly number: number; readonly name: string } & HashTask

export type HashTask =
  /** Hashes the bytes `from` to `to` of a file. */
  | { readonly type: 'file'; readonly path: string; readonly from: number; readonly to: number }
  /** Hashes bytes that begin at `from` of the blob. If their memory is shared, it may be used again after the answer. */
  | { readonly type: 'bytes'; readonly from: number; readonly bytes: Uint8Array }
  /** Asks for the SHA-256 of the bytes so far. */
  | { readonly type: 'digest' }
  | { readonly type: 'discard' }

export interface HashAnswer {
  readonly number: number
  readonly digest?: string
  /** The reason why the task failed. The state of the blob is then gone. */
  readonly problem?: string
}
