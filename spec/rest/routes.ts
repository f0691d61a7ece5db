/** Every declared REST route, in the order of the OpenAPI document. */
import { accountRoutes } from '../accounts/accountRoutes.ts'
import { adminRoutes } from '../accounts/adminRoutes.ts'
import { apiKeyRoutes } from '../accounts/apiKeyRoutes.ts'
import { ownSessionRoutes } from '../accounts/ownSessionRoutes.ts'
import { providerRoutes } from '../accounts/providerRoutes.ts'
import { crashReportRoutes } from '../apps/crashReportRoutes.ts'
import { dsymUploadRoutes } from '../apps/dsymUploadRoutes.ts'
import { artifactRoutes } from '../builds/artifactRoutes.ts'
import { artifactUploadRoutes } from '../builds/artifactUploadRoutes.ts'
import { buildLogRoutes } from '../builds/buildLogRoutes.ts'
import { transferRoutes } from '../builds/deployments/transferRoutes.ts'
import { deviceEnrollmentRoutes } from '../devices/deviceEnrollmentRoutes.ts'
import { pushDeviceRoutes } from '../devices/pushDeviceRoutes.ts'
import { webhookRoutes } from '../hosts/webhookRoutes.ts'
import { attachmentRoutes } from '../runs/attachmentRoutes.ts'
import { runEventRoutes } from '../runs/runEventRoutes.ts'
import { serverRoutes } from '../settings/serverRoutes.ts'
import { telemetryRoutes } from '../telemetry/telemetryRoutes.ts'
import { toolRoutes } from '../tools/toolRoutes.ts'
import { skillRoutes } from '../work/skills/skillRoutes.ts'
import { codebaseRoutes } from '../worktrees/codebaseRoutes.ts'
import { diffImageRoutes } from '../worktrees/diffImageRoutes.ts'
import type { RestRoute } from './restRoute.ts'

export const restRoutes: readonly RestRoute[] = Object.freeze([
  ...Object.values(codebaseRoutes),
  ...Object.values(diffImageRoutes),
  ...Object.values(runEventRoutes),
  ...Object.values(buildLogRoutes),
  ...Object.values(attachmentRoutes),
  ...Object.values(artifactUploadRoutes),
  ...Object.values(artifactRoutes),
  ...Object.values(transferRoutes),
  ...Object.values(skillRoutes),
  ...Object.values(toolRoutes),
  ...Object.values(crashReportRoutes),
  ...Object.values(dsymUploadRoutes),
  ...Object.values(telemetryRoutes),
  ...Object.values(accountRoutes),
  ...Object.values(providerRoutes),
  ...Object.values(ownSessionRoutes),
  ...Object.values(adminRoutes),
  ...Object.values(apiKeyRoutes),
  ...Object.values(webhookRoutes),
  ...Object.values(pushDeviceRoutes),
  ...Object.values(deviceEnrollmentRoutes),
  ...Object.values(serverRoutes),
])
