/** All operations of the service. `gateway/operations/operations.ts` has the handlers, in the same order. */
import { viewerOperations } from './accounts/viewer.ts'
import { agentCliOperations } from './agents/agentClis.ts'
import { agentSessionOperations } from './agents/agentSession.ts'
import { agentOperations } from './agents/agents.ts'
import { enrollmentOperations } from './agents/enrollments.ts'
import { jobLogOperations } from './agents/jobLogs.ts'
import { job } from './agents/jobObject.ts'
import { jobOperations } from './agents/jobs.ts'
import { appOperations } from './apps/apps.ts'
import { crashReportOperations } from './apps/crashReports.ts'
import { dsymOperations } from './apps/dsyms.ts'
import type { OperationDeclaration } from './core/operation.ts'
import { deviceEnrollmentOperations } from './devices/deviceEnrollments.ts'
import { deviceOperations } from './devices/devices.ts'
import { pushDeviceOperations } from './devices/pushDevices.ts'
import { integrationOperations } from './hosts/integrations.ts'
import { webhookDeliveryOperations } from './hosts/webhookDeliveries.ts'
import { actionCenterOperations } from './operators/actionCenter/operations.ts'
import { actorOperations } from './operators/actors.ts'
import { machineOperations } from './operators/machines.ts'
import { operatorActionOperations } from './operators/operatorActions.ts'
import { runLogOperations } from './runs/runLogs.ts'
import { runRequestOperations } from './runs/runRequests.ts'
import { runOperations } from './runs/runs.ts'
import { globalSearchOperations } from './search/globalSearch.ts'
import { installationOperations } from './settings/installation.ts'
import { telemetryQueryOperations } from './telemetry/telemetryQueries.ts'
import { telemetryRecordOperations } from './telemetry/telemetryRecords.ts'
import { telemetrySettingsOperations } from './telemetry/telemetrySettings.ts'
import { mcpServerOperations } from './tools/mcpServers.ts'
import { presetExportOperations } from './tools/presets/exports.ts'
import { presetImportOperations } from './tools/presets/imports.ts'
import { presetOperations } from './tools/presets/presets.ts'
import { toolCallOperations } from './tools/toolCalls.ts'
import { planOperations } from './work/plans.ts'
import { playPlan } from './work/playPlan.ts'
import { sessionOperations } from './work/sessions.ts'
import { workflowOperations } from './work/workflows.ts'
import { codebaseByPathOperations } from './worktrees/codebaseByPath.ts'
import { codebaseReportOperations } from './worktrees/codebaseReports.ts'
import { codebaseOperations } from './worktrees/codebases.ts'
import { repositoryOperations } from './worktrees/repositories.ts'
import { repositoryPreparationOperations } from './worktrees/repositoryPreparations.ts'
import { worktreeQueueOperations } from './worktrees/worktreeQueue.ts'
import { worktreeOperations } from './worktrees/worktrees.ts'

export const operations: readonly OperationDeclaration[] = Object.freeze([
  ...viewerOperations,
  ...actionCenterOperations,
  ...installationOperations,
  ...agentOperations,
  ...agentCliOperations,
  ...enrollmentOperations,
  ...agentSessionOperations,
  job,
  ...jobOperations,
  ...jobLogOperations,
  ...codebaseOperations,
  ...codebaseByPathOperations,
  ...codebaseReportOperations,
  ...worktreeOperations,
  ...repositoryOperations,
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
  ...operatorActionOperations,
  ...globalSearchOperations,
] as readonly OperationDeclaration[])
