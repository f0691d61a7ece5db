/** The one type of error of the console: an error that the server returned, or a request that failed. */

interface ApiErrorDetails {
  readonly retryable?: boolean
  readonly requestId?: string
  readonly field?: string
  readonly problem?: string
  readonly retryAfterSeconds?: number
}

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: string
  /** The same request may succeed later. */
  readonly retryable: boolean
  readonly requestId: string
  /** The field of a form that is not valid, and the reason. Empty if the error does not concern a field. */
  readonly field: string
  readonly problem: string
  /** How long to wait, if the server sent a time. */
  readonly retryAfterSeconds: number | undefined
  constructor(code: string, message: string, details: ApiErrorDetails = {}) {
    super(message)
    const { retryable = false, requestId = '', field = '', problem = '', retryAfterSeconds } = details
    this.code = code
    this.retryable = retryable
    this.requestId = requestId
    this.field = field
    this.problem = problem
    this.retryAfterSeconds = retryAfterSeconds
  }
}

const retryAfterMs = 5_000

/** Returns the milliseconds until a request is sent again. Undefined if it would fail again. */
export function getRetryDelay({ retryable, retryAfterSeconds = 0 }: ApiError): number | undefined {
  return retryable ? Math.max(retryAfterMs, 1_000 * retryAfterSeconds) : undefined
}

/** Converts what was thrown to an `ApiError`. A defect of the page becomes one too. */
export function toApiError(cause: unknown): ApiError {
  return cause instanceof ApiError ? cause : new ApiError('INTERNAL', String(cause))
}

export interface GraphqlError {
  readonly message: string
  readonly extensions?: {
    readonly code?: string
    readonly requestId?: string
    readonly retryable?: boolean
    readonly retryAfterMs?: number
    readonly details?: { readonly field?: string; readonly problem?: string }
  }
}

/** @param defaultCode the code if the error has none */
export function fromGraphqlError(
  { message, extensions }: GraphqlError,
  defaultCode = 'INTERNAL',
  requestId = '',
): ApiError {
  const { code = defaultCode, retryable = false, retryAfterMs, details } = extensions ?? {}
  const { field = '', problem = '' } = details ?? {}
  return new ApiError(code, message, {
    retryable,
    requestId: extensions?.requestId ?? requestId,
    field,
    problem,
    ...(retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1_000) }),
  })
}
