/**
 * A REST route is declared once: what it takes, what it answers and with what it refuses. The gateway checks requests by the
 * declaration and hands what passed to the route's handler; the OpenAPI document is made of it. This file is the form; the
 * declarations stand in one file for each surface, and `routes.ts` is their list.
 */
import type * as v from 'valibot'
import type { FailureCode } from '../failure.ts'
import type { limits } from '../limits.ts'
import type { PrincipalKind } from '../principal.ts'
import type { Schema } from '../types.ts'
import type { RestTag } from './tags.ts'

export type RestMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Fields by their names; each is text on the wire. What a strict object does not name is refused, else it is passed over. */
export type Fields = v.ObjectSchema<v.ObjectEntries, undefined> | v.StrictObjectSchema<v.ObjectEntries, undefined>

export interface RestBody<S extends Schema = Schema> {
  readonly schema: S
  /** Which part of the schema a value is checked by, where it has several: a mistake then names its field. */
  pick?(value: unknown): Schema
  /** The limit of its bytes, by its name. */
  readonly limit: keyof typeof limits
}

export interface RestAnswer {
  readonly description: string
  /** Of the JSON; without one, and without `files`, the answer has no body. */
  readonly body?: Schema
  /** The media types of what is a file instead. */
  readonly files?: readonly string[]
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
  /** Who is let in. `public`: credentials are not looked at. With `anonymous`: a credential may be left out, not be wrong. */
  readonly access: 'public' | readonly PrincipalKind[]
  readonly params?: Fields
  readonly query?: Fields
  /** The code that a wrong query is refused with; omitted where every query is right, since each field takes any text. */
  readonly queryRefusal?: FailureCode
  readonly body?: RestBody
  /** What goes wrong inside is told by a redirect, so there is no `INTERNAL_ERROR`. */
  readonly defectsRedirect?: boolean
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
