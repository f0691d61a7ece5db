/**
 * The type of a REST route's declaration: its inputs, its answers and its errors. The gateway validates requests by the
 * declaration and passes valid ones to the route's handler. The OpenAPI document is generated from it. Each surface has one file
 * with its declarations, and `routes.ts` lists them.
 */
import type * as v from 'valibot'
import type { FailureCode } from '../core/failure.ts'
import type { limits } from '../core/limits.ts'
import type { Access } from '../core/principal.ts'
import type { Schema } from '../core/types.ts'
import type { RestTag } from './tags.ts'

export type RestMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Fields by name. In the request, each is text. A strict object refuses fields that it does not name; others ignore them. */
export type Fields = v.ObjectSchema<v.ObjectEntries, undefined> | v.StrictObjectSchema<v.ObjectEntries, undefined>

/** A body as JSON. */
export interface RestBody<S extends Schema = Schema> {
  readonly schema: S
  /** If the schema has several parts: selects the part that validates a value, so that an error names its field. */
  pick?(value: unknown): Schema
  /** The name of the limit of its bytes. */
  readonly limit: keyof typeof limits
}

/** A body that is not JSON, or whose exact bytes matter. The route's handler reads it when it needs it. */
export interface RawBody {
  /**
   * The media type that callers send. `application/json`, `multipart/form-data` and `application/octet-stream` are enforced: another type is
   * then refused with 415.
   */
  readonly mediaType: string
  /** The schema of a body that is JSON, for the document. The handler validates it. */
  readonly schema?: Schema
  readonly description: string
  /** The name of the limit of its bytes. */
  readonly limit: keyof typeof limits
}

export interface RestRate {
  /** The name of the limit. */
  readonly limit: keyof typeof limits
  readonly windowMs: number
  /** The text after "Too many". */
  readonly of: string
  /** Only requests without a credential are counted. */
  readonly onlyAnonymous?: true
  /** All routes with this limit share one count. Otherwise each route has its own. */
  readonly shared?: true
}

export interface RestAnswer {
  readonly description: string
  /** The schema of a JSON body. */
  readonly body?: Schema
  /** The events of a stream of server-sent events by their names, with the schemas of their data. */
  readonly events?: Readonly<Record<string, Schema>>
  /** The media types of a body that is not JSON. If all are absent, the answer has no body. */
  readonly mediaTypes?: readonly string[]
  /** Headers beside those of every answer, each with its description. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface Refusal {
  readonly code: FailureCode
  /** If it is another one than that of the code. */
  readonly status?: number
  /** Further fields of the error beside code, message and request ID. */
  readonly extras?: v.ObjectEntries
}

export interface RestRoute {
  /** Unique; the document's `operationId`. */
  readonly name: string
  readonly method: RestMethod
  /** Segments in braces are parameters: `/api/dsyms/uploads/{id}`. */
  readonly path: string
  readonly tag: RestTag
  /** A few words, without a full stop. */
  readonly summary: string
  readonly description?: string
  /** The row of the credential matrix: the principals with access. If it is `public`, credentials are not checked. */
  readonly access: Access
  /** Pages of any origin may call it and read its answers, without credentials (CORS). */
  readonly anyOrigin?: true
  readonly params?: Fields
  readonly query?: Fields
  /** The code with which an invalid query is refused. Omitted if every query is valid, since each field accepts any text. */
  readonly queryRefusal?: FailureCode
  readonly body?: RestBody
  /** The code with which an invalid body is refused; `BAD_USER_INPUT` if omitted. */
  readonly bodyRefusal?: FailureCode
  /** One code for all callers without access, whatever the problem with their credential is. */
  readonly credentialRefusal?: FailureCode
  /** Used instead of `body`. */
  readonly rawBody?: RawBody
  /** The rate at which one address (/64 for IPv6) can call the route, whatever the answers are. */
  readonly rate?: RestRate
  /** Internal errors are reported by a redirect or a code of the route, so there is no `INTERNAL_ERROR`. */
  readonly noInternalError?: boolean
  /** Request headers that the route uses, each with its effect. All are optional. */
  readonly requestHeaders?: Readonly<Record<string, string>>
  /** The answers by status. */
  readonly answers: Readonly<Record<number, RestAnswer>>
  /** The route's own errors. Those that follow from access, query and body are added (`refusals.ts`). */
  readonly refusals: readonly (FailureCode | Refusal)[]
}

/** Declares a route and keeps the types of its inputs. */
export function restRoute<const R extends RestRoute>(route: R): R {
  return Object.freeze(route)
}
