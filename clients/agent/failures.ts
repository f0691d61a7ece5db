/** The ways in which the agent's work ends other than well. Each says by its class what the caller can do about it. */

/** Exit codes of the program, as its help shows them. */
export const exitCodes = { stopped: 0, unexpected: 1, usage: 2, credential: 3, locked: 4 } as const

/** The program can't go on. `message` is one sentence that says what to do next; it is shown as it is. */
export class AgentFailure extends Error {
  override name = 'AgentFailure'
  readonly exitCode: number
  constructor(exitCode: number, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

/** The socket ended before an answer came: nothing is known about the request. Ask again on the next connection. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost'
}

/** The control plane answered with an error. */
export class ControlPlaneError extends Error {
  override name = 'ControlPlaneError'
  readonly code: string
  readonly retryable: boolean
  /** Milliseconds that the control plane asks to wait before the next try. */
  readonly retryAfterMs: number | undefined
  constructor(code: string, message: string, retryable: boolean, retryAfterMs?: number) {
    super(message)
    this.code = code
    this.retryable = retryable
    this.retryAfterMs = retryAfterMs
  }
}

/** Codes that mean «this attempt is not yours»: it is killed and forgotten. */
const disowning = new Set(['FAILED_PRECONDITION', 'NOT_FOUND'])

export function isDisowning(error: unknown): boolean {
  return error instanceof ControlPlaneError && disowning.has(error.code)
}

const retryableCodes = new Set(['UNAVAILABLE', 'RATE_LIMITED', 'INTERNAL'])

interface GraphQLErrorShape {
  message: string
  extensions?: Record<string, unknown> | undefined
}

/** Reads the first of a GraphQL answer's errors. Codes that the agent does not know count as final. */
export function toControlPlaneError(errors: readonly GraphQLErrorShape[]): ControlPlaneError {
  const first = errors[0]
  const extensions = first?.extensions ?? {}
  const code = typeof extensions.code === 'string' ? extensions.code : 'INTERNAL'
  // A defect over there is no verdict on what was asked: an agent that took it for one would forget a job or its result.
  const said = typeof extensions.retryable === 'boolean' ? extensions.retryable : retryableCodes.has(code)
  const retryable = said || code === 'INTERNAL'
  const retryAfterMs = typeof extensions.retryAfterMs === 'number' ? extensions.retryAfterMs : undefined
  return new ControlPlaneError(
    code,
    first?.message ?? 'The answer had neither data nor an error.',
    retryable,
    retryAfterMs,
  )
}

/** The text of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The code of a system error (`ENOENT`), if it is one. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
