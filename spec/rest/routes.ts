/** Every declared REST route: the OpenAPI document has them in this order. */
import { accountRoutes } from './accountRoutes.ts'
import { adminRoutes } from './adminRoutes.ts'
import { apiKeyRoutes } from './apiKeyRoutes.ts'
import { codebaseRoutes } from './codebaseRoutes.ts'
import { deviceEnrollmentRoutes } from './deviceEnrollmentRoutes.ts'
import { ownSessionRoutes } from './ownSessionRoutes.ts'
import { providerRoutes } from './providerRoutes.ts'
import { pushDeviceRoutes } from './pushDeviceRoutes.ts'
import type { RestRoute } from './restRoute.ts'
import { serverRoutes } from './serverRoutes.ts'
import { telemetryRoutes } from './telemetryRoutes.ts'
import { toolRoutes } from './toolRoutes.ts'
import { webhookRoutes } from './webhookRoutes.ts'

export const restRoutes: readonly RestRoute[] = Object.freeze([
  ...Object.values(codebaseRoutes),
  ...Object.values(toolRoutes),
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
