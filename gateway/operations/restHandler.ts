/** A REST route is a declaration of `spec/` and its handler. */
import type * as v from 'valibot'
import type { Principal } from '../../spec/core/principal.ts'
import type { Schema } from '../../spec/core/types.ts'
import type { RestRoute } from '../../spec/rest/restRoute.ts'
import type { HttpRequest } from '../http/request.ts'
import type { Answer } from '../http/route.ts'
import type { MaybePromise } from './requestContext.ts'

export interface RestCall<Input = unknown, Query = unknown, Params = unknown> {
  readonly request: HttpRequest
  readonly principal: Principal
  /** The body. */
  readonly input: Input
  readonly query: Query
  readonly params: Params
}

type Checked<S> = S extends Schema ? v.InferOutput<S> : undefined
export type InputOf<R extends RestRoute> = R extends { readonly body: { readonly schema: infer S } }
  ? Checked<S>
  : undefined
export type QueryOf<R extends RestRoute> = R extends { readonly query: infer S } ? Checked<S> : undefined
export type ParamsOf<R extends RestRoute> = R extends { readonly params: infer S } ? Checked<S> : undefined

export interface ServedRoute {
  readonly route: RestRoute
  /** Headers of the answer to OPTIONS: the protocols that the path serves. */
  readonly capabilities?: Readonly<Record<string, string>>
  handle(call: RestCall): MaybePromise<Answer>
}

/** A declaration with its handler, whose call has the declared types. */
export function serve<const R extends RestRoute>(
  route: R,
  handle: (call: RestCall<InputOf<R>, QueryOf<R>, ParamsOf<R>>) => MaybePromise<Answer>,
): ServedRoute {
  return { route, handle: handle as ServedRoute['handle'] }
}
