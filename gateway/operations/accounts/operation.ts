/** An account route: its declaration and its handler. The handler receives the services that the account routes share. */
import type { RestRoute } from '../../../spec/rest/restRoute.ts'
import type { Answer } from '../../http/route.ts'
import type { InputOf, ParamsOf, QueryOf, RestCall } from '../restHandler.ts'
import type { AuthServices } from './services.ts'

export type AuthCall<Input = unknown, Query = unknown, Params = unknown> = RestCall<Input, Query, Params> & {
  readonly services: AuthServices
}

export interface AuthOperation {
  readonly route: RestRoute
  handle(call: AuthCall): Promise<Answer>
}

export function authOperation<const R extends RestRoute>(
  route: R,
  handle: (call: AuthCall<InputOf<R>, QueryOf<R>, ParamsOf<R>>) => Promise<Answer>,
): AuthOperation {
  return { route, handle: handle as AuthOperation['handle'] }
}
