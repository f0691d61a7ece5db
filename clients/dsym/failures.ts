/** The errors of the client. Each message is for the person who reads the log of the step, and contains the next action. */

/** Exit codes of the program. Its help lists them. A signal ends it with 128 and the number of the signal. */
export const exitCodes = { done: 0, failed: 1, usage: 2 } as const

/** An option is wrong. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** One zip was not uploaded. The others are uploaded all the same. */
export class UploadFailure extends Error {
  override name = 'UploadFailure'
  /** The server has ended the upload, and cannot use its bytes. */
  readonly hasEnded: boolean

  constructor(message: string, { hasEnded = false } = {}) {
    super(message)
    this.hasEnded = hasEnded
  }
}

/** The request has no answer: the connection failed, was lost or was silent. Its effect on the server is unknown. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
}

/** A signal has ended the work. */
export class Stopped extends Error {
  override name = 'Stopped'
}

/** @returns the text of any thrown value */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** @returns the code of a system error, such as `ENOENT`, or undefined for other errors */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
