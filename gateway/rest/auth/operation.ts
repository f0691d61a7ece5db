/** An account route: its declaration and its handler, which is given what the account routes share. */
import type * as v from 'valibot'
import { accountRoutes } from '../../../spec/rest/accountRoutes.ts'
import type { RestRoute } from '../../../spec/rest/restRoute.ts'
import type { Answer, Method } from '../../route.ts'
import type { InputOf, ParamsOf, QueryOf, RestCall } from '../served.ts'
import type { AuthServices } from './services.ts'

export type AuthCall<Input = unknown, Query = unknown, Params = unknown> = RestCall<Input, Query, Params> & {
  readonly services: AuthServices
}

export interface AuthOperation {
  readonly route: RestRoute
  handle(call: AuthCall): Promise<Answer>
}

/** Where a route is described beside its handler, and perhaps declared in spec by the same method and path. */
interface Described<S extends v.GenericSchema | undefined> {
  readonly method: Method
  readonly path: string
  readonly description: string
  /** `session`: a signed-in user. `anyone`: also callers without a credential. */
  readonly access: 'session' | 'anyone'
  readonly body: S
  handle(call: AuthCall<S extends v.GenericSchema ? v.InferOutput<S> : undefined>): Promise<Answer>
}

export function authOperation<const R extends RestRoute>(
  route: R,
  handle: (call: AuthCall<InputOf<R>, QueryOf<R>, ParamsOf<R>>) => Promise<Answer>,
): AuthOperation
export function authOperation<const S extends v.GenericSchema | undefined>(described: Described<S>): AuthOperation
export function authOperation(
  given: RestRoute | Described<v.GenericSchema | undefined>,
  handle?: (call: AuthCall<never, never, never>) => Promise<Answer>,
): AuthOperation {
  const own = 'handle' in given ? { route: declared(given), handle: given.handle } : { route: given, handle }
  return own as AuthOperation
}

const declarations: readonly RestRoute[] = Object.values(accountRoutes)

/** What is declared nowhere is served as it is described; the OpenAPI document does not have it, and a test says so. */
function declared(described: Described<v.GenericSchema | undefined>): RestRoute {
  const { method, path, description, body } = described
  const access: RestRoute['access'] = described.access === 'session' ? ['user'] : ['anonymous', 'user']
  const known = declarations.find((one) => one.method === method && one.path === path)
  if (!known)
    return {
      name: `${method} ${path}`,
      method,
      path,
      tag: 'Accounts',
      summary: description,
      access,
      ...(body ? { body: { schema: body, limit: 'authBodyBytes' } } : {}),
      answers: {},
      refusals: [],
    }
  if (String(known.access) !== String(access) || known.body?.schema !== body)
    throw new Error(`${method} ${path} lets in others or takes another body than its declaration, ${known.name}, says`)
  return known
}
