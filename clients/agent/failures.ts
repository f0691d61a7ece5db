/** The errors of the agent. The class of an error shows what the caller can do. */

/** Exit codes of the program. Its help lists them. */
export const exitCodes = { stopped: 0, unexpected: 1, usage: 2, credential: 3, locked: 4 } as const

/** The program cannot continue. `message` is one sentence for the user that contains the next action. */
export class AgentFailure extends Error {
  override name = 'AgentFailure'
  readonly exitCode: number
  constructor(exitCode: number, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

/** The socket closed before the response, so the result of the request is unknown. Repeat it on the next connection. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost'
}

/** The control plane returned an error. */
export class ControlPlaneError extends Error {
  override name = 'ControlPlaneError'
  readonly code: string
  readonly retryable: boolean
  /** Milliseconds to wait before the next try, from the control plane. */
  readonly retryAfterMs: number | undefined
  constructor(code: string, message: string, retryable: boolean, retryAfterMs?: number) {
    super(message)
    this.code = code
    this.retryable = retryable
    this.retryAfterMs = retryAfterMs
  }
}

/** Codes that mean that the attempt does not belong to this agent. The attempt is killed and deleted. */
const disowning = new Set(['FAILED_PRECONDITION', 'NOT_FOUND'])

export function isDisowning(error: unknown): boolean {
  return error instanceof ControlPlaneError && disowning.has(error.code)
}

const retryableCodes = new Set(['UNAVAILABLE', 'RATE_LIMITED', 'INTERNAL'])

interface GraphQLErrorShape {
  message: string
  extensions?: Record<string, unknown> | undefined
}

/** Reads the first error of a GraphQL response. An unknown code is final. */
export function toControlPlaneError(errors: readonly GraphQLErrorShape[]): ControlPlaneError {
  const first = errors[0]
  const extensions = first?.extensions ?? {}
  const code = typeof extensions.code === 'string' ? extensions.code : 'INTERNAL'
  // An internal error of the control plane is not a refusal. If the agent treated it as one, it would lose a job or its result.
  const declared = typeof extensions.retryable === 'boolean' ? extensions.retryable : retryableCodes.has(code)
  const retryable = declared || code === 'INTERNAL'
  const retryAfterMs = typeof extensions.retryAfterMs === 'number' ? extensions.retryAfterMs : undefined
  return new ControlPlaneError(
    code,
    first?.message ?? 'The answer had neither data nor an error.',
    retryable,
    retryAfterMs,
  )
}

/** Returns the text of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Returns the code of a system error (`ENOENT`), or undefined for other errors. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
