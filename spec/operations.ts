/** Everything that can be asked of the service, and the objects that its answers are made of. */
import { actorOperations } from './actors.ts'
import { agentSessionOperations } from './agentSession.ts'
import { agentOperations, agentType } from './agents.ts'
import { codebaseReportOperations } from './codebaseReports.ts'
import { codebaseOperations, codebaseType } from './codebases.ts'
import { deviceEnrollmentOperations, deviceEnrollmentType } from './deviceEnrollments.ts'
import { deviceOperations, deviceType } from './devices.ts'
import { enrollmentOperations } from './enrollments.ts'
import { globalSearchOperations } from './globalSearch.ts'
import { integrationOperations } from './integrations.ts'
import { jobLogOperations } from './jobLogs.ts'
import { jobOperations } from './jobs.ts'
import type { ObjectType, Operation } from './operation.ts'
import { planType } from './plans.ts'
import { pushDeviceOperations } from './pushDevices.ts'
import { runRequestOperations } from './runRequests.ts'
import { runOperations, runTypes } from './runs.ts'
import { sessionType } from './sessions.ts'
import { telemetryRecordOperations } from './telemetryRecords.ts'
import { telemetrySettingsOperations } from './telemetrySettings.ts'
import { viewerOperations } from './viewer.ts'
import { webhookDeliveryOperations } from './webhookDeliveries.ts'
import { workflowOperations, workflowType } from './workflows.ts'
import { worktreeQueueOperations, worktreeQueueType } from './worktreeQueue.ts'
import { worktreeOperations, worktreeType } from './worktrees.ts'

export const operations: readonly Operation[] = Object.freeze([
  ...viewerOperations,
  ...agentOperations,
  ...enrollmentOperations,
  ...agentSessionOperations,
  ...jobOperations,
  ...jobLogOperations,
  ...codebaseOperations,
  ...codebaseReportOperations,
  ...worktreeOperations,
  ...worktreeQueueOperations,
  ...runOperations,
  ...runRequestOperations,
  ...workflowOperations,
  ...integrationOperations,
  ...webhookDeliveryOperations,
  ...pushDeviceOperations,
  ...deviceOperations,
  ...deviceEnrollmentOperations,
  ...telemetryRecordOperations,
  ...telemetrySettingsOperations,
  ...actorOperations,
  ...globalSearchOperations,
] as readonly Operation[])

export const objectTypes: readonly ObjectType[] = Object.freeze([
  agentType,
  codebaseType,
  worktreeType,
  worktreeQueueType,
  ...runTypes,
  planType,
  sessionType,
  workflowType,
  deviceType,
  deviceEnrollmentType,
] as readonly ObjectType[])
