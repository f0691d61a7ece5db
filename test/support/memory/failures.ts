import type { Write } from '../../../actors/ports/journal.ts'

/**
 * What becomes of a commit: it is carried out; it fails and nothing is written, for good or repeatably; or its answer is lost,
 * after which it was carried out or was not.
 */
export type CommitFate = 'carriedOut' | 'failed' | 'repeatable' | 'untoldWritten' | 'untoldNotWritten'

/** Passed in by tests. What is left out does not fail. */
export interface Failures {
  /** Asked once for each commit, in order. */
  commit?: ((batch: readonly Write[]) => CommitFate) | undefined
  /** Milliseconds before a commit is carried out; later commits wait for it. */
  delay?: (() => number) | undefined
  /** Whether the storage is away altogether: reads, writes and settling fail or wait. */
  away?: (() => boolean) | undefined
}
