/** Everything that can be asked of the service, and the objects that its answers are made of. */
import { actionCenterOperations } from './actionCenter.ts'
import { actorOperations } from './actors.ts'
import { agentCliOperations } from './agentClis.ts'
import { agentSessionOperations } from './agentSession.ts'
import { agentOperations, agentType } from './agents.ts'
import { appOperations, appType } from './apps.ts'
import { codebaseByPathOperations } from './codebaseByPath.ts'
import { codebaseReportOperations } from './codebaseReports.ts'
import { codebaseOperations, codebaseType } from './codebases.ts'
import { crashReportOperations, crashType } from './crashReports.ts'
import { deviceEnrollmentOperations, deviceEnrollmentType } from './deviceEnrollments.ts'
import { deviceOperations, deviceType } from './devices.ts'
import { dsymOperations, dsymType } from './dsyms.ts'
import { enrollmentOperations } from './enrollments.ts'
import { globalSearchOperations } from './globalSearch.ts'
import { installationOperations } from './installation.ts'
import { integrationOperations } from './integrations.ts'
import { jobLogOperations } from './jobLogs.ts'
import { jobOperations } from './jobs.ts'
import { machineOperations } from './machines.ts'
import { mcpServerOperations, mcpServerType } from './mcpServers.ts'
import type { ObjectType, Operation } from './operation.ts'
import { operatorActOperations } from './operatorActs.ts'
import { planOperations, planType } from './plans.ts'
import { playPlan } from './playPlan.ts'
import { presetExportOperations } from './presets/exports.ts'
import { presetImportOperations } from './presets/imports.ts'
import { presetOperations } from './presets/presets.ts'
import { pushDeviceOperations } from './pushDevices.ts'
import { repositoryPreparationOperations } from './repositoryPreparations.ts'
import { runLogOperations } from './runLogs.ts'
import { runRequestOperations } from './runRequests.ts'
import { runOperations, runTypes } from './runs.ts'
import { sessionOperations, sessionType } from './sessions.ts'
import { telemetryQueryOperations, telemetryQueryType } from './telemetryQueries.ts'
import { telemetryRecordOperations } from './telemetryRecords.ts'
import { telemetrySettingsOperations } from './telemetrySettings.ts'
import { toolCallOperations } from './toolCalls.ts'
import { viewerOperations } from './viewer.ts'
import { webhookDeliveryOperations } from './webhookDeliveries.ts'
import { workflowOperations, workflowType } from './workflows.ts'
import { worktreeQueueOperations, worktreeQueueType } from './worktreeQueue.ts'
import { worktreeOperations, worktreeType } from './worktrees.ts'

export const operations: readonly Operation[] = Object.freeze([
  ...viewerOperations,
  ...actionCenterOperations,
  ...installationOperations,
  ...agentOperations,
  ...agentCliOperations,
  ...enrollmentOperations,
  ...agentSessionOperations,
  ...jobOperations,
  ...jobLogOperations,
  ...codebaseOperations,
  ...codebaseByPathOperations,
  ...codebaseReportOperations,
  ...worktreeOperations,
  ...repositoryPreparationOperations,
  ...worktreeQueueOperations,
  ...runOperations,
  ...runRequestOperations,
  ...runLogOperations,
  ...planOperations,
  playPlan,
  ...sessionOperations,
  ...workflowOperations,
  ...integrationOperations,
  ...webhookDeliveryOperations,
  ...pushDeviceOperations,
  ...deviceOperations,
  ...deviceEnrollmentOperations,
  ...telemetryRecordOperations,
  ...telemetryQueryOperations,
  ...telemetrySettingsOperations,
  ...toolCallOperations,
  ...presetOperations,
  ...presetExportOperations,
  ...presetImportOperations,
  ...mcpServerOperations,
  ...appOperations,
  ...crashReportOperations,
  ...dsymOperations,
  ...actorOperations,
  ...machineOperations,
  ...operatorActOperations,
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
  mcpServerType,
  appType,
  crashType,
  dsymType,
  telemetryQueryType,
] as readonly ObjectType[])
