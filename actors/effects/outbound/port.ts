/** Milliseconds and bytes. `Infinity` turns a time-out off. Use it only for streams, with a `signal` that ends them. */
export interface OutboundLimits {
  /** For the DNS lookup, the connection and TLS. It starts again at each redirect. */
  readonly connectMs: number
  /** From the last byte of the request to the first byte of the response. It starts again at each redirect. */
  readonly firstByteMs: number
  /** From the call to the last byte of the body, redirects included. */
  readonly wholeMs: number
  /** For the body of the response, as it is received. */
  readonly maxBytes: number
}

/** The request of `fetch`, with additional fields. Headers that frame the message (Host, Content-Length, Connection …) are ignored. */
export interface OutboundRequest extends Pick<RequestInit, 'method' | 'headers' | 'body' | 'redirect' | 'signal'> {
  /** Names of headers that are credentials, in addition to Authorization, Cookie, Proxy-Authorization and other known ones. */
  readonly credentialHeaders?: readonly string[]
  readonly limits?: Partial<OutboundLimits>
}

/**
 * HTTP to every address that a user, a document or a peer gave, and to no other. Requests to hosts of the settings do not use it, because
 * an administrator chose them.
 *
 * - A host is looked up once. All its addresses must be public or in `OUTBOUND_ALLOW`. The connection is made to one of them, under the
 *   name of the URL (Host, SNI, certificate). No connection is used twice.
 * - At most five redirects are followed. Each is checked as the first URL is. A redirect from https to http is refused. Credentials are
 *   sent to the first origin only, and so is a body, unless the redirect turns the request into a GET.
 * - Each time-out and the limit of the body also apply while the body is read. The caller must read or cancel the body. Until then, or
 *   until its time-out, the connection is open. The body is passed on as it was sent: nothing is decompressed.
 * - Nothing is sent twice, except if a redirect requires it.
 */
export interface Outbound {
  /**
   * Resolves for every status. It can be passed to libraries that accept a `fetch`.
   * @throws OutboundFailed, here and while the body is read. If `signal` ended the request, its reason.
   */
  fetch(url: string | URL, request?: OutboundRequest): Promise<Response>
}
