/**
 * A REST route is declared once: what it takes, what it answers and with what it refuses. The gateway checks requests by the
 * declaration and hands what passed to the route's handler; the OpenAPI document is made of it. This file is the form; the
 * declarations stand in one file for each surface, and `routes.ts` is their list.
 */
import type * as v from 'valibot'
import type { FailureCode } from '../core/failure.ts'
import type { limits } from '../core/limits.ts'
import type { Access } from '../core/principal.ts'
import type { Schema } from '../core/types.ts'
import type { RestTag } from './tags.ts'

export type RestMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Fields by their names; each is text on the wire. What a strict object does not name is refused, else it is passed over. */
export type Fields = v.ObjectSchema<v.ObjectEntries, undefined> | v.StrictObjectSchema<v.ObjectEntries, undefined>

/** A body as JSON. */
export interface RestBody<S extends Schema = Schema> {
  readonly schema: S
  /** Which part of the schema a value is checked by, where it has several: a mistake then names its field. */
  pick?(value: unknown): Schema
  /** The limit of its bytes, by its name. */
  readonly limit: keyof typeof limits
}

/** A body that is not JSON, or means something only as it was sent, byte by byte. Its handler reads it, when it knows that it wants to. */
export interface RawBody {
  /** What callers send. Only `application/json` is required: another type is then refused with 415. */
  readonly mediaType: string
  readonly description: string
  /** The limit of its bytes, by its name. */
  readonly limit: keyof typeof limits
}

export interface RestRate {
  /** The limit, by its name. */
  readonly limit: keyof typeof limits
  readonly windowMs: number
  /** What is counted: goes after "Too many". */
  readonly of: string
  /** Counted over all routes with this limit; else each counts for itself. */
  readonly shared?: true
}

export interface RestAnswer {
  readonly description: string
  /** Of the JSON. */
  readonly body?: Schema
  /** What it may be that is not JSON. Without either the answer has no body. */
  readonly mediaTypes?: readonly string[]
  /** Headers that it carries beside those of every answer, each with what it is. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface Refusal {
  readonly code: FailureCode
  /** What stands in the envelope beside code, message and request ID. */
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
  /** The row of the credential matrix: who is let in. Where it is `public` credentials are not looked at. */
  readonly access: Access
  /** Pages of any origin may call it and read its answers, without credentials (CORS). */
  readonly anyOrigin?: true
  readonly params?: Fields
  readonly query?: Fields
  /** The code that a wrong query is refused with; omitted where every query is right, since each field takes any text. */
  readonly queryRefusal?: FailureCode
  readonly body?: RestBody
  /** The code that a wrong body is refused with; `BAD_USER_INPUT` where omitted. */
  readonly bodyRefusal?: FailureCode
  /** The one code for all who may not call it, whatever is the matter with their credential. */
  readonly credentialRefusal?: FailureCode
  /** Instead of `body`. */
  readonly rawBody?: RawBody
  /** How often one address (/64 for IPv6) may call it, whatever is answered. */
  readonly rate?: RestRate
  /** What goes wrong inside is told otherwise, by a redirect or a code of its own, so there is no `INTERNAL_ERROR`. */
  readonly noInternalError?: boolean
  /** Headers of the request that mean something here, each with what it does. All may be left out. */
  readonly requestHeaders?: Readonly<Record<string, string>>
  /** By status. */
  readonly answers: Readonly<Record<number, RestAnswer>>
  /** Its own; those that follow from access, query and body are added (`refusals.ts`). */
  readonly refusals: readonly (FailureCode | Refusal)[]
}

/** Declares one with the types of what it takes. */
export function restRoute<const R extends RestRoute>(route: R): R {
  return Object.freeze(route)
}
