/** The messages between the view of a log and its reader. The reader is a worker: the page itself never handles the bytes. */
import type { Refusal } from '../../data/ask.ts'
import type { Line } from './lines.ts'

export type Request =
  | { readonly type: 'follow'; readonly jobId: string }
  /** Lines from `from` to before `to`. */
  | { readonly type: 'read'; readonly from: number; readonly to: number }
  /** Empty words end the search. */
  | { readonly type: 'search'; readonly words: string }

export type Report =
  /** Lines from `changedFrom` on are new or changed. */
  | { readonly type: 'grown'; readonly count: number; readonly changedFrom: number; readonly ended: boolean }
  | { readonly type: 'lines'; readonly from: number; readonly lines: readonly Line[] }
  | {
      readonly type: 'found'
      readonly words: string
      /** Lines that were not reported before, in no order. */
      readonly lines: readonly number[]
      /** Lines that have not ended and match so far. */
      readonly open: readonly number[]
      /** The number of lines that were searched. */
      readonly searched: number
      readonly done: boolean
    }
  | { readonly type: 'refused'; readonly refusal: Pick<Refusal, 'code' | 'message' | 'retryable' | 'requestId'> }
