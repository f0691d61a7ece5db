import type { CancelRecord, JobResult } from './folder.ts'

/** An attempt under way, however it is carried out. */
export interface Execution {
  /** Resolves once nothing of it runs any more and `result.json` is written. Rejects with ConnectionLost when the agent stops. */
  ended: Promise<JobResult>
  /** Asks it to end; again, with less grace, hurries it. Resolves when the request is on the disk, not when it has ended. */
  cancel(cancel: CancelRecord): Promise<void>
  /** Gives the answer to a question that it asked; false when it has asked none. */
  answer(answerId: string | undefined, answer: unknown): boolean
}
