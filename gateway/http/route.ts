/** The declaration of an HTTP route. */
import type { Failure } from '../../spec/core/failure.ts'
import type { Access, Principal } from '../../spec/core/principal.ts'
import type { EventFeed } from './events/eventFeed.ts'
import type { HttpRequest } from './request.ts'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** An HTTP response. `x-request-id` and the security headers are added to every response. */
export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** `set-cookie` lines. Only this header may be repeated. */
  readonly cookies?: readonly string[]
  readonly body?: string | Uint8Array
  /** Used instead of `body`. Sent at the speed of the caller, and canceled if the caller disconnects. */
  readonly stream?: ReadableStream<Uint8Array>
  /** Used instead of `body`: server-sent events. */
  readonly events?: EventFeed
  /** The number of bytes in `stream`, for `content-length`. Without it the stream is sent in chunks. */
  readonly length?: number
}

export interface RouteCall {
  readonly request: HttpRequest
  readonly principal: Principal
  readonly params: Readonly<Record<string, string>>
}

export interface Route {
  readonly method: Method
  /** Segments in braces are parameters: `/api/dsyms/uploads/{id}`. */
  readonly path: string
  /**
   * The row of the credential matrix: which callers are allowed. For `public`, credentials are ignored. For other rows, a credential
   * that is present must be valid.
   */
  readonly access: Access
  /** On pages, assets and `/api/auth/*`, an invalid cookie is treated as absent and is cleared. */
  readonly deadCookie?: 'absent'
  /**
   * With `always`, every request with an origin must have an allowed one, whatever its credential. Otherwise only requests with a
   * browser's cookie must.
   */
  readonly checksOrigin?: 'always'
  /** Pages of any origin may call the route and read its responses, without credentials. */
  readonly anyOrigin?: true
  /** Headers of the answer to OPTIONS: the protocols that the path serves. */
  readonly capabilities?: Readonly<Record<string, string>>
  handle(call: RouteCall): Promise<Answer> | Answer
  /** Builds refusals of this surface. If omitted, the REST envelope is used. */
  refuse?(failure: Failure, request: HttpRequest): Answer
}
