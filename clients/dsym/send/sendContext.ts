import type { Durations } from '../report/durations.ts'
import type { StopSignals } from '../stop.ts'
import type { RetryPolicy } from './attempts.ts'
import type { UploadApi } from './uploadApi.ts'

/** The server, the bounds and the outputs of an upload. */
export interface SendContext {
  readonly api: UploadApi
  readonly stop: StopSignals
  readonly retry: RetryPolicy
  /** Receives the times of the parts. */
  readonly durations: Pick<Durations, 'measure'>
  /** The most bytes of one request. */
  readonly chunkSize: number
  /** The time in which the server indexes a zip. */
  readonly completionMs: number
  /** Prints a line. */
  print(text: string): void
  /** Receives the bytes that the server has. */
  onProgress(offset: number): void
}
