/** What each listener serves over HTTP. */

import { providerRoutes } from '../spec/rest/providerRoutes.ts'
import { type GraphqlHttp, graphqlRoutes } from './graphql/route.ts'
import type { Limits } from './limits.ts'
import { mcpRoute } from './mcp/route.ts'
import type { GatewayOptions } from './options.ts'
import type { Origins } from './origins.ts'
import { readable } from './pages/problemPage.ts'
import { pageRoutes } from './pages/routes.ts'
import { servedAccounts } from './rest/auth/routes.ts'
import type { AuthServices } from './rest/auth/services.ts'
import { type ContextOf, servedCodebases } from './rest/codebases.ts'
import { servedDeviceEnrollment } from './rest/deviceEnrollment/routes.ts'
import type { DeviceEnrollmentServices } from './rest/deviceEnrollment/services.ts'
import { servedOpenApi } from './rest/openApi.ts'
import { agentProgramRoute, servedProbes } from './rest/public.ts'
import { servedPushDevices } from './rest/pushDevices.ts'
import { RouteRates } from './rest/routeRate.ts'
import { routeOf } from './rest/served.ts'
import { servedTools } from './rest/tools.ts'
import { servedWebhooks } from './rest/webhooks.ts'
import type { Route } from './route.ts'
import { servedExport } from './telemetry/export/route.ts'
import { servedIngestion } from './telemetry/ingest.ts'
import type { TelemetryServices } from './telemetry/services.ts'
import type { ToolServices } from './tools/services.ts'
import type { WebhookReceiver } from './webhooks/receiver.ts'

export interface RouteParts {
  readonly options: GatewayOptions
  readonly limits: Limits
  readonly origins: Origins
  readonly http: GraphqlHttp
  readonly auth: AuthServices
  readonly webhooks: WebhookReceiver
  readonly deviceEnrollment: DeviceEnrollmentServices
  readonly telemetry: TelemetryServices
  readonly tools: ToolServices
  readonly contextOf: ContextOf
}

export function mainRoutes({
  options,
  limits,
  origins,
  http,
  auth,
  webhooks,
  deviceEnrollment,
  telemetry,
  tools,
  contextOf,
}: RouteParts): readonly Route[] {
  const declared = [
    ...servedAccounts(auth),
    ...servedCodebases(contextOf),
    ...servedPushDevices(options, contextOf),
    ...servedDeviceEnrollment(deviceEnrollment),
    ...servedTools(tools),
    ...servedIngestion(telemetry),
    ...servedExport(telemetry, options.views),
    ...servedProbes(options),
    ...servedOpenApi(origins),
    ...servedWebhooks(webhooks),
  ]
  const services = { limits, rates: new RouteRates(limits, options.clock), log: options.log }
  return [
    ...graphqlRoutes('/api/graphql', http),
    mcpRoute(tools),
    ...declared.map((one) => {
      const route = routeOf(one, services)
      return one.route === providerRoutes.endProviderSignIn ? readable(route, options.site) : route
    }),
    agentProgramRoute(options),
    ...pageRoutes(options),
    ...(options.routes ?? []),
  ]
}

export function agentRoutes({ options, limits, http }: RouteParts): readonly Route[] {
  const services = { limits, rates: new RouteRates(limits, options.clock), log: options.log }
  const probes = servedProbes(options).map((one) => routeOf(one, services))
  return [...graphqlRoutes('/graphql', http), ...probes, agentProgramRoute(options)]
}
