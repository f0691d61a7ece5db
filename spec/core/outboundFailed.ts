/** The reasons why a request to another server fails, and whether a retry can help. */
export const outboundProblems = {
  /** Not an http or https URL, or one with a user name or password. */
  BAD_URL: { retryable: false },
  /** A method, header or body that cannot be sent. */
  BAD_REQUEST: { retryable: false },
  UNKNOWN_HOST: { retryable: true },
  /** Not a public address, and `OUTBOUND_ALLOW` does not name it. */
  FORBIDDEN_ADDRESS: { retryable: false },
  UNREACHABLE: { retryable: true },
  /** The certificate is invalid, or TLS failed. */
  UNTRUSTED: { retryable: false },
  TIMED_OUT: { retryable: true },
  /** The connection broke before the answer was complete. */
  BROKEN: { retryable: true },
  /** The answer is not valid HTTP. */
  BAD_ANSWER: { retryable: false },
  TOO_LARGE: { retryable: false },
  TOO_MANY_REDIRECTS: { retryable: false },
  FORBIDDEN_REDIRECT: { retryable: false },
} as const satisfies Record<string, { readonly retryable: boolean }>

export type OutboundProblem = keyof typeof outboundProblems

/**
 * `message` names the host and its problem, and nothing else of the request or of the network: no path, no header, no address, no
 * body. It may be shown to the user who gave the URL.
 */
export class OutboundFailed extends Error {
  override readonly name = 'OutboundFailed'
  readonly problem: OutboundProblem

  constructor(problem: OutboundProblem, message: string) {
    super(message)
    this.problem = problem
  }

  /** Whether a retry can help. The caller must decide whether the request may be repeated. */
  get retryable(): boolean {
    return outboundProblems[this.problem].retryable
  }
}
