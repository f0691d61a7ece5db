import type { Write } from '../../../../actors/ports/journal.ts'

/**
 * The outcome of a commit:
 * - It is written.
 * - It fails and nothing is written, permanently or repeatably.
 * - Its answer is lost, and it was written or was not.
 */
export type CommitFate = 'carriedOut' | 'failed' | 'repeatable' | 'untoldWritten' | 'untoldNotWritten'

/** Set by tests. Operations that are left out do not fail. */
export interface Failures {
  /** Called once for each commit, in order. */
  commit?: ((batch: readonly Write[]) => CommitFate) | undefined
  /** Milliseconds before a commit is written. Later commits wait for it. */
  delay?: (() => number) | undefined
  /** Whether the whole storage is unavailable: reads, writes and settling fail or wait. */
  away?: (() => boolean) | undefined
}
