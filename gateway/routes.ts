/** The HTTP routes of each listener. */

import { providerRoutes } from '../spec/accounts/providerRoutes.ts'
import { artifactRoutes } from '../spec/builds/artifactRoutes.ts'
import { type GraphqlHttp, graphqlRoutes } from './graphql/route.ts'
import type { Origins } from './http/origins.ts'
import type { Route } from './http/route.ts'
import type { Limits } from './limits/limits.ts'
import { mcpRoute } from './mcp/route.ts'
import type { ToolServices } from './mcp/services.ts'
import { serveAccounts } from './operations/accounts/routes.ts'
import type { AuthServices } from './operations/accounts/services.ts'
import { type CrashReportIntake, serveCrashReports } from './operations/apps/crashReportRoutes.ts'
import { type DsymUploadParts, serveDsymUploads } from './operations/apps/dsymUploads/dsymUploadRoutes.ts'
import { serveArtifactDownload } from './operations/builds/artifactDownload.ts'
import { serveBuildLogs } from './operations/builds/buildLogRoutes.ts'
import { serveTransfers, type TransferParts } from './operations/builds/deployments/transferRoutes.ts'
import { serveManifest } from './operations/builds/manifestDownload.ts'
import { type ArtifactUploads, serveArtifactUploads } from './operations/builds/uploads/artifactRoutes.ts'
import { serveDeviceEnrollment } from './operations/devices/enrollment/routes.ts'
import type { DeviceEnrollmentServices } from './operations/devices/enrollment/services.ts'
import { servePushDevices } from './operations/devices/pushDeviceRoutes.ts'
import type { WebhookReceiver } from './operations/hosts/webhooks/receiver.ts'
import { servedWebhooks } from './operations/hosts/webhooks/routes.ts'
import { serveAttachments } from './operations/runs/attachments/routes.ts'
import { serveRunEvents } from './operations/runs/runEventRoutes.ts'
import { serveExport } from './operations/telemetry/export/route.ts'
import { serveIngestion } from './operations/telemetry/ingest.ts'
import type { TelemetryServices } from './operations/telemetry/services.ts'
import { serveTelemetryStreams } from './operations/telemetry/streamRoutes.ts'
import { serveSkills } from './operations/work/skills/skillRoutes.ts'
import { type ContextOf, servedCodebases } from './operations/worktrees/codebaseRoutes.ts'
import { serveDiffImages } from './operations/worktrees/diffImages/diffImageRoutes.ts'
import type { GatewayOptions } from './options.ts'
import { serveInstallPage } from './pages/installPage.ts'
import { readable } from './pages/problemPage.ts'
import { pageRoutes } from './pages/routes.ts'
import { servedOpenApi } from './rest/openApi.ts'
import { agentProgramRoute, dsymClientRoute, servedProbes } from './rest/public.ts'
import { RouteRates } from './rest/routeRate.ts'
import { routeOf } from './rest/served.ts'
import { servedTools } from './rest/tools.ts'
import type { EventAnswers } from './subscriptions/eventAnswers.ts'

/** The routes that a redirect or a link opens in a browser. Their refusals are pages. */
const openedInBrowsers: ReadonlySet<unknown> = new Set([
  providerRoutes.endProviderSignIn,
  artifactRoutes.openInstallPage,
])

export interface RouteParts {
  readonly options: GatewayOptions
  readonly limits: Limits
  readonly origins: Origins
  readonly http: GraphqlHttp
  readonly auth: AuthServices
  readonly webhooks: WebhookReceiver
  readonly deviceEnrollment: DeviceEnrollmentServices
  readonly telemetry: TelemetryServices
  readonly crashReports: CrashReportIntake
  readonly dsymUploads: DsymUploadParts
  readonly events: EventAnswers
  readonly tools: ToolServices
  readonly uploads: ArtifactUploads & TransferParts
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
  crashReports,
  dsymUploads,
  events,
  tools,
  uploads,
  contextOf,
}: RouteParts): readonly Route[] {
  const declared = [
    ...serveAccounts(auth),
    ...servedCodebases(contextOf),
    ...serveDiffImages(options, limits, contextOf),
    ...servePushDevices(options, contextOf),
    ...serveDeviceEnrollment(deviceEnrollment),
    ...serveAttachments(options, limits, contextOf),
    ...serveArtifactUploads(uploads),
    ...serveArtifactDownload(options),
    ...serveManifest(options),
    ...serveInstallPage(options),
    ...serveTransfers(uploads),
    ...serveSkills(options),
    ...servedTools(tools),
    ...serveCrashReports(crashReports),
    ...serveDsymUploads(dsymUploads, limits),
    ...serveIngestion(telemetry),
    ...serveExport(telemetry, options.views),
    ...serveTelemetryStreams(events),
    ...serveRunEvents(events),
    ...serveBuildLogs(events, options),
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
      return openedInBrowsers.has(one.route) ? readable(route, options.site) : route
    }),
    agentProgramRoute(options),
    dsymClientRoute(options),
    ...pageRoutes(options),
    ...(options.routes ?? []),
  ]
}

export function agentRoutes({ options, limits, http }: RouteParts): readonly Route[] {
  const services = { limits, rates: new RouteRates(limits, options.clock), log: options.log }
  const probes = servedProbes(options).map((one) => routeOf(one, services))
  return [...graphqlRoutes('/graphql', http), ...probes, agentProgramRoute(options)]
}
