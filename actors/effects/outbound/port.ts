/** Milliseconds and bytes. A time-out of `Infinity` is none: only for streams, and with a `signal` that ends them. */
export interface OutboundLimits {
  /** For the look-up, the connection and TLS; each redirect has it anew. */
  readonly connectMs: number
  /** From the last byte of the request to the first of the answer; each redirect has it anew. */
  readonly firstByteMs: number
  /** From the call to the last byte of the body, redirects included. */
  readonly wholeMs: number
  /** Of the body of the answer, as it comes. */
  readonly maxBytes: number
}

/** As for `fetch`, with what it lacks. Headers that frame the message (Host, Content-Length, Connection …) are passed over. */
export interface OutboundRequest extends Pick<RequestInit, 'method' | 'headers' | 'body' | 'redirect' | 'signal'> {
  /** Names of headers that are credentials, beside Authorization, Cookie, Proxy-Authorization and others known as such. */
  readonly credentialHeaders?: readonly string[]
  readonly limits?: Partial<OutboundLimits>
}

/**
 * HTTP to every address that a user, a document or a peer gave, and to no other: hosts of the settings are the administrator's.
 *
 * - A host is looked up once. All its addresses must be public or in `OUTBOUND_ALLOW`, and the connection is made to one of them,
 *   under the name of the URL (Host, SNI, certificate). No connection is used twice.
 * - At most five redirects are followed, each checked as the first URL is; never from https to http. Credentials go to the first
 *   origin alone, and so does a body that is not turned into a GET.
 * - Each time-out and the limit of the body hold while it is read, too. The body must be read or cancelled: until then, or until
 *   its time is out, the connection is open. It comes as it was sent: nothing is unpacked.
 * - Nothing is sent twice, but for what a redirect asks for.
 */
export interface Outbound {
  /**
   * Any status is an answer. It may be given to libraries that take a `fetch`.
   * @throws OutboundFailed, here and while the body is read; the reason of `signal` where that has ended it
   */
  fetch(url: string | URL, request?: OutboundRequest): Promise<Response>
}
