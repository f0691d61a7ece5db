/** All error codes: callers act on the code; each has an HTTP status and whether a retry can help. */

interface FailureRule {
  readonly status: number
  readonly retryable: boolean
}

/** Every error code of a request. */
export const failureRules = {
  UNAUTHENTICATED: { status: 401, retryable: false },
  FORBIDDEN: { status: 403, retryable: false },
  NOT_FOUND: { status: 404, retryable: false },
  BAD_USER_INPUT: { status: 400, retryable: false },
  GRAPHQL_PARSE_FAILED: { status: 400, retryable: false },
  GRAPHQL_VALIDATION_FAILED: { status: 400, retryable: false },
  CONFLICT: { status: 409, retryable: false },
  FAILED_PRECONDITION: { status: 409, retryable: false },
  STALE_EPOCH: { status: 409, retryable: false },
  HISTORY_GONE: { status: 410, retryable: false },
  RATE_LIMITED: { status: 429, retryable: true },
  COST_LIMIT_EXCEEDED: { status: 400, retryable: false },
  PAYLOAD_TOO_LARGE: { status: 413, retryable: false },
  UNSUPPORTED_IMAGE: { status: 415, retryable: false },
  CHECKSUM_MISMATCH: { status: 422, retryable: false },
  RANGE_NOT_SATISFIABLE: { status: 416, retryable: false },
  REQUEST_HEAD_TOO_LARGE: { status: 431, retryable: false },
  INSUFFICIENT_STORAGE: { status: 507, retryable: false },
  UNAVAILABLE: { status: 503, retryable: true },
  INTERNAL: { status: 500, retryable: false },
  INVALID_PATH: { status: 400, retryable: false },
  CODEBASE_NOT_FOUND: { status: 404, retryable: false },
  AMBIGUOUS_PATH: { status: 409, retryable: false },
  INTERNAL_ERROR: { status: 500, retryable: false },
  INVALID_ORIGIN: { status: 403, retryable: false },
  REGISTRATION_CLOSED: { status: 403, retryable: false },
  AUTH_MODE_DISABLED: { status: 403, retryable: false },
  INVALID_AUTHORIZATION_CODE: { status: 400, retryable: false },
  INVALID_MCP_SCOPE: { status: 400, retryable: false },
  TOOL_API_UNAUTHORIZED: { status: 401, retryable: false },
  RUN_MCP_FORBIDDEN: { status: 403, retryable: false },
  RUN_NOT_FOUND: { status: 404, retryable: false },
  MCP_PRESET_NOT_FOUND: { status: 404, retryable: false },
  INVALID_TOOL_CALL: { status: 400, retryable: false },
  TOOL_CALL_FAILED: { status: 502, retryable: false },
} as const satisfies Record<string, FailureRule>

export type FailureCode = keyof typeof failureRules

/** An error that is returned to the caller. The caller sees `message` and `details`, so they contain no internals. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: FailureCode
  /** Machine-readable additions, for example `{ field, acceptedEvents }`. */
  readonly details: Readonly<Record<string, unknown>> | undefined
  /** The number of milliseconds after which a retry makes sense. */
  readonly retryAfterMs: number | undefined

  constructor(
    code: FailureCode,
    message: string,
    extra: { details?: Readonly<Record<string, unknown>>; retryAfterMs?: number } = {},
  ) {
    super(message)
    this.code = code
    this.details = extra.details
    this.retryAfterMs = extra.retryAfterMs
  }

  get status(): number {
    return failureRules[this.code].status
  }

  get retryable(): boolean {
    return failureRules[this.code].retryable
  }
}
