import type { CancelRecord, JobResult } from './folder.ts'

/** The execution of one attempt, of either kind. */
export interface Execution {
  /** Resolves when no process of it runs and `result.json` is written. Rejects with ConnectionLost if the agent stops. */
  ended: Promise<JobResult>
  /**
   * Requests its end. A repeat with less grace shortens the wait. Resolves when the request is on disk, not when the execution has
   * ended.
   */
  cancel(cancel: CancelRecord): Promise<void>
  /**
   * Stops its processes and its time limit, or lets them continue. Repeats are allowed. Resolves when that is done: true, or false if
   * the execution ends.
   */
  setPaused(isPaused: boolean): Promise<boolean>
  /** Delivers the answer to a question. Returns false if no question is open. */
  answer(answerId: string | undefined, answer: unknown): boolean
}
