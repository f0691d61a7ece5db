/** What each listener serves over HTTP. */
import { type GraphqlHttp, graphqlRoutes } from './graphql/route.ts'
import type { Limits } from './limits.ts'
import type { GatewayOptions } from './options.ts'
import type { Origins } from './origins.ts'
import { servedAccounts } from './rest/auth/routes.ts'
import type { AuthServices } from './rest/auth/services.ts'
import { type ContextOf, servedCodebases } from './rest/codebases.ts'
import { servedOpenApi } from './rest/openApi.ts'
import { agentProgramRoute, servedProbes } from './rest/public.ts'
import { routeOf } from './rest/served.ts'
import type { Route } from './route.ts'

export interface RouteParts {
  readonly options: GatewayOptions
  readonly limits: Limits
  readonly origins: Origins
  readonly http: GraphqlHttp
  readonly auth: AuthServices
  readonly contextOf: ContextOf
}

export function mainRoutes({ options, limits, origins, http, auth, contextOf }: RouteParts): readonly Route[] {
  const declared = [
    ...servedAccounts(auth),
    ...servedCodebases(contextOf),
    ...servedProbes(options),
    ...servedOpenApi(origins),
  ]
  return [
    ...graphqlRoutes('/api/graphql', http),
    ...declared.map((one) => routeOf(one, { limits, log: options.log })),
    agentProgramRoute(options),
    ...(options.routes ?? []),
  ]
}

export function agentRoutes({ options, limits, http }: RouteParts): readonly Route[] {
  const probes = servedProbes(options).map((one) => routeOf(one, { limits, log: options.log }))
  return [...graphqlRoutes('/graphql', http), ...probes, agentProgramRoute(options)]
}
