/** The messages between the view of a log and its reader. The reader is a worker: the page itself never handles the bytes. */
import type { ApiError } from '../../data/apiError.ts'
import type { LogGroup } from './logGroups.ts'
import type { LogLine } from './logLines.ts'

export type ReaderRequest =
  | { readonly type: 'follow'; readonly jobId: string }
  /** Lines from `from` to before `to`. */
  | { readonly type: 'read'; readonly from: number; readonly to: number }
  /** Shows the log as of a time, in milliseconds since 1970. Undefined for the present. */
  | { readonly type: 'locate'; readonly at: number | undefined }
  /** An empty text ends the search. */
  | { readonly type: 'search'; readonly searchText: string }
  /** Asks for the whole log as a file. */
  | { readonly type: 'download' }

export type ReaderReport =
  /** Lines from `changedFrom` on are new or changed. */
  | {
      readonly type: 'grown'
      readonly count: number
      readonly changedFrom: number
      readonly ended: boolean
      /** Whether the retention has deleted the beginning of the log, or all of it. */
      readonly isBeginningDeleted: boolean
      /** The last line at the time of a `locate`. */
      readonly locatedLine: number | undefined
      /** All groups, if they have changed. */
      readonly groups: readonly LogGroup[] | undefined
    }
  | { readonly type: 'lines'; readonly from: number; readonly lines: readonly LogLine[] }
  | {
      readonly type: 'found'
      readonly searchText: string
      /** Lines that were not reported before, in no order. */
      readonly lines: readonly number[]
      /** Lines that have not ended and match so far. */
      readonly open: readonly number[]
      /** The number of lines that were searched. */
      readonly searched: number
      readonly done: boolean
    }
  | { readonly type: 'file'; readonly file: Blob }
  | { readonly type: 'failed'; readonly error: Pick<ApiError, 'code' | 'message' | 'retryable' | 'requestId'> }
