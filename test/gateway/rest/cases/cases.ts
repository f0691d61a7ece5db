/** Each route's own answers: a call that is right, and by status and code what leads to a refusal of its own. */
import { serverRoutes } from '../../../../spec/settings/serverRoutes.ts'
import { accountCases } from './accountCases.ts'
import { apiKeyCases } from './apiKeyCases.ts'
import { attachmentCases } from './attachmentCases.ts'
import { artifactCases } from './builds/artifactCases.ts'
import { buildCases } from './builds/buildCases.ts'
import { transferCases } from './builds/transferCases.ts'
import { nobody } from './callers.ts'
import type { Cases } from './caseForm.ts'
import { codebaseCases } from './codebaseCases.ts'
import { crashReportCases } from './crashReportCases.ts'
import { deviceEnrollmentCases } from './deviceEnrollmentCases.ts'
import { diffImageCases } from './diffImageCases.ts'
import { dsymCases } from './dsymCases.ts'
import { providerCases } from './providerCases.ts'
import { pushDeviceCases } from './pushDeviceCases.ts'
import { runCases } from './runCases.ts'
import { sessionCases } from './sessionCases.ts'
import { skillCases } from './skillCases.ts'
import { telemetryCases } from './telemetryCases.ts'
import { toolCases } from './toolCases.ts'
import { userCases } from './userCases.ts'
import { webhookCases } from './webhookCases.ts'

export const cases: readonly Cases[] = [
  ...codebaseCases,
  ...diffImageCases,
  ...runCases,
  ...crashReportCases,
  ...dsymCases,
  ...telemetryCases,
  ...attachmentCases,
  ...artifactCases,
  ...transferCases,
  ...buildCases,
  ...skillCases,
  ...toolCases,
  ...accountCases,
  ...providerCases,
  ...sessionCases,
  ...userCases,
  ...apiKeyCases,
  ...webhookCases,
  ...pushDeviceCases,
  ...deviceEnrollmentCases,
  { route: serverRoutes.getHealth, right: nobody },
  { route: serverRoutes.getReadiness, right: nobody },
  { route: serverRoutes.getOpenApi, right: nobody },
]
