/** The types of the REST routes for accounts, from their declarations. */
import type * as v from 'valibot'
import type { accountRoutes } from '../../../../spec/accounts/accountRoutes.ts'
import type { adminRoutes } from '../../../../spec/accounts/adminRoutes.ts'
import type { apiKeyRoutes } from '../../../../spec/accounts/apiKeyRoutes.ts'
import type { ownSessionRoutes } from '../../../../spec/accounts/ownSessionRoutes.ts'
import type { providerRoutes } from '../../../../spec/accounts/providerRoutes.ts'
import type { Schema } from '../../../../spec/core/types.ts'

type Routes = typeof accountRoutes &
  typeof adminRoutes &
  typeof apiKeyRoutes &
  typeof ownSessionRoutes &
  typeof providerRoutes

type Route = Routes[keyof Routes]

type WithoutPrefix<Path> = Path extends `/api/auth/${infer Rest}` ? Rest : never

/** The paths of routes with a method, without `/api/auth/`. */
export type AuthPath<Method extends 'GET' | 'POST'> = WithoutPrefix<Extract<Route, { method: Method }>['path']>

type AuthRoute<Method, Path extends string> = Extract<Route, { method: Method; path: `/api/auth/${Path}` }>

/** The result of a route. */
export type AuthResult<Method extends 'GET' | 'POST', Path extends AuthPath<Method>> =
  AuthRoute<Method, Path> extends { answers: { 200: { body: infer Body extends Schema } } } ? v.InferInput<Body> : never

/** The body of a request. A route without a body ignores it. */
export type AuthBody<Path extends AuthPath<'POST'>> =
  AuthRoute<'POST', Path> extends { body: { schema: infer Body extends Schema } } ? v.InferInput<Body> : object
