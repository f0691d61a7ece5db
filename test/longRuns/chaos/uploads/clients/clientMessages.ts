/** The messages by which the process of a client reports to the run, and its behavior after an interruption. */
import type { BackOffPolicy } from '../../../../../spec/core/backOff.ts'

export type ClientMessage =
  /** So many bytes are acknowledged: stored by the server, or on the disk of a target. */
  | { readonly type: 'progress'; readonly stored: number }
  | { readonly type: 'interrupted'; readonly reason: string }
  /** The end is acknowledged. */
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly code: string; readonly message: string }

/** The identity of an agent. */
export interface ClientIdentity {
  readonly credential: string
  readonly epoch: number
}

export const retry: BackOffPolicy = { firstMs: 50, factor: 2, mostMs: 1_000, jitter: 0.5 }
/** A connection is given up after so many milliseconds without a byte. */
export const idleMs = 2_000

const report = (message: ClientMessage) =>
  new Promise<void>((resolve) => {
    process.send?.(message, () => resolve())
  })

export interface ClientReports {
  onProgress(stored: number): void
  onInterruption(reason: string): void
}

/** Runs a client in this process, with the options that its parent gave, and ends the process. */
export async function runClient<T>(run: (options: T, reports: ClientReports) => Promise<void>): Promise<never> {
  // A run that failed leaves its clients, which then end.
  process.on('disconnect', () => process.exit(1))
  try {
    await run(JSON.parse(process.argv[2] ?? '') as T, {
      onProgress: (stored) => void report({ type: 'progress', stored }),
      onInterruption: (reason) => void report({ type: 'interrupted', reason }),
    })
    await report({ type: 'done' })
  } catch (error) {
    const { code } = error as { readonly code?: unknown }
    await report({ type: 'failed', code: String(code), message: String(error) })
  }
  process.exit(0)
}
