/** Why a request to another server failed, in one table, and whether asking again can help. */
export const outboundProblems = {
  /** Not an http or https URL, or one with a user name or password in it. */
  BAD_URL: { retryable: false },
  /** A method, header or body that can't be sent. */
  BAD_REQUEST: { retryable: false },
  UNKNOWN_HOST: { retryable: true },
  /** Not a public address, and `OUTBOUND_ALLOW` does not name it. */
  FORBIDDEN_ADDRESS: { retryable: false },
  UNREACHABLE: { retryable: true },
  /** Its certificate, or its TLS as a whole. */
  UNTRUSTED: { retryable: false },
  TIMED_OUT: { retryable: true },
  /** The connection broke before all was answered. */
  BROKEN: { retryable: true },
  /** What came is not HTTP as it should be. */
  BAD_ANSWER: { retryable: false },
  TOO_LARGE: { retryable: false },
  TOO_MANY_REDIRECTS: { retryable: false },
  FORBIDDEN_REDIRECT: { retryable: false },
} as const satisfies Record<string, { readonly retryable: boolean }>

export type OutboundProblem = keyof typeof outboundProblems

/**
 * `message` names the host and what is wrong with it, and nothing else of the request or of the network: no path, no header, no
 * address, no body. It may be shown to whoever gave the URL.
 */
export class OutboundFailed extends Error {
  override readonly name = 'OutboundFailed'
  readonly problem: OutboundProblem

  constructor(problem: OutboundProblem, message: string) {
    super(message)
    this.problem = problem
  }

  /** Asking again can help. Whether the request may be repeated is for its caller to know. */
  get retryable(): boolean {
    return outboundProblems[this.problem].retryable
  }
}
