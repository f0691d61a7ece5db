/** How a surface of the gateway declares an HTTP route. */
import type { Failure } from '../../spec/core/failure.ts'
import type { Access, Principal } from '../../spec/core/principal.ts'
import type { HttpRequest } from './request.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What is sent back. `x-request-id` and the security headers are added for every answer. */
export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** `set-cookie` lines; the one header that may come more than once. */
  readonly cookies?: readonly string[]
  readonly body?: string | Uint8Array
  /** Instead of `body`: comes bit by bit, as fast as the caller takes it, and is cancelled where the caller goes away. */
  readonly stream?: ReadableStream<Uint8Array>
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
   * The row of the credential matrix: who is let in. Where it is `public` credentials are not looked at; elsewhere one that is
   * there must be valid.
   */
  readonly access: Access
  /** On pages, assets and `/api/auth/*` a dead cookie counts as absent and is cleared. */
  readonly deadCookie?: 'absent'
  /** Whoever names an origin must name one that is allowed, with whatever credential; else only browsers' cookies must. */
  readonly checksOrigin?: 'always'
  /** Pages of any origin may call it and read its answers, without credentials. */
  readonly anyOrigin?: true
  handle(call: RouteCall): Promise<Answer> | Answer
  /** How this surface writes a refusal; the REST envelope where omitted. */
  refuse?(failure: Failure, request: HttpRequest): Answer
}
