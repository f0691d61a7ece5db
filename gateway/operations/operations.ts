/** All operations of the service with their handlers, and the objects in their answers. */

import { apiKeyType, userType } from './accounts/accountObjects.ts'
import { viewerHandlers } from './accounts/viewer.ts'
import { agentCliHandlers } from './agents/agentClis.ts'
import { agentLoadHandlers } from './agents/agentLoad.ts'
import { agentSessionHandlers } from './agents/agentSession.ts'
import { agentHandlers, agentType } from './agents/agents.ts'
import { enrollmentHandlers } from './agents/enrollments.ts'
import { jobLogHandlers } from './agents/jobLogs.ts'
import { jobObjectHandlers, jobType } from './agents/jobObject.ts'
import { jobHandlers } from './agents/jobs.ts'
import { appHandlers, appType } from './apps/apps.ts'
import { crashReportHandlers, crashReportType } from './apps/crashReports.ts'
import { dsymHandlers, dsymType } from './apps/dsyms.ts'
import { dsymUploadHandlers, dsymUploadType } from './apps/dsymUploads/dsymUploadObjects.ts'
import { crashGroupHandlers, crashGroupType } from './apps/groups/crashGroups.ts'
import { crashThreadType } from './apps/threads/crashThreadType.ts'
import { artifactHandlers, artifactType } from './builds/artifacts.ts'
import { buildConfigurationHandlers, buildConfigurationType } from './builds/buildConfigurations.ts'
import { buildLogHandlers } from './builds/buildLogs.ts'
import { buildProgressHandlers } from './builds/buildProgress.ts'
import { buildHandlers, buildType } from './builds/builds.ts'
import { buildConfigurationVersionType } from './builds/configurationVersions.ts'
import { coverageHandlers } from './builds/coverage.ts'
import { buildCoverageType } from './builds/coverageFiles.ts'
import { deploymentObjectHandlers } from './builds/deployments/deploymentObjects.ts'
import { deploymentProgressHandlers } from './builds/deployments/deploymentProgress.ts'
import { artifactTransferType, deploymentType } from './builds/deployments/deploymentTypes.ts'
import { destinationHandlers } from './builds/deployments/destinations.ts'
import { runBuildHandlers } from './builds/deployments/runBuild.ts'
import { serverUrlHandlers } from './builds/serverUrls.ts'
import { signingAssetHandlers, signingAssetType } from './builds/signing/signingAssets.ts'
import { startBuildHandlers } from './builds/startBuild.ts'
import { deviceEnrollmentHandlers, deviceEnrollmentType } from './devices/deviceEnrollments.ts'
import { deviceHandlers, deviceType } from './devices/devices.ts'
import { notificationHandlers } from './devices/notifications.ts'
import { pushDeviceHandlers } from './devices/pushDevices.ts'
import type { Operation } from './handler.ts'
import { integrationHandlers, integrationType } from './hosts/integrations.ts'
import { pushBuildHandlers, pushBuildType } from './hosts/pushBuilds.ts'
import { webhookDeliveryHandlers, webhookDeliveryType } from './hosts/webhookDeliveries.ts'
import type { CatalogType } from './objectType.ts'
import { seenMarkHandlers } from './operators/actionCenter/markSeen.ts'
import { actionCenterHandlers } from './operators/actionCenter/operations.ts'
import { actorType } from './operators/actorRecord.ts'
import { actorHandlers, transitionType } from './operators/actors.ts'
import { machineHandlers } from './operators/machines.ts'
import { operatorActionHandlers } from './operators/operatorActions.ts'
import { runAttachmentType } from './runs/attachments/runAttachments.ts'
import { performBulkRunActionHandlers } from './runs/bulk/performBulkRunAction.ts'
import { previewBulkRunActionHandlers } from './runs/bulk/previewBulkRunAction.ts'
import { continueRunHandlers } from './runs/continueRun.ts'
import { createRunFollowUpHandlers } from './runs/createRunFollowUp.ts'
import { insightsHandlers } from './runs/insights.ts'
import { retryRunHandlers } from './runs/retryRun.ts'
import { runChangesHandlers } from './runs/runChanges.ts'
import { runControlHandlers } from './runs/runControls.ts'
import { runLogHandlers } from './runs/runLogs.ts'
import { runRequestHandlers } from './runs/runRequests.ts'
import { runHandlers, runTypes } from './runs/runs.ts'
import { usageHandlers } from './runs/usage.ts'
import { globalSearchHandlers } from './search/globalSearch.ts'
import { installationHandlers } from './settings/installation.ts'
import { telemetryQueryHandlers, telemetryQueryType } from './telemetry/telemetryQueries.ts'
import { telemetryRecordHandlers } from './telemetry/telemetryRecords.ts'
import { telemetrySettingsHandlers } from './telemetry/telemetrySettings.ts'
import { mcpServerHandlers, mcpServerType } from './tools/mcpServers.ts'
import { presetExportHandlers } from './tools/presets/exports.ts'
import { presetImportHandlers } from './tools/presets/imports.ts'
import { presetHandlers } from './tools/presets/presets.ts'
import { toolCallHandlers, toolCallType } from './tools/toolCalls.ts'
import { toolGrantType } from './tools/toolGrants.ts'
import { savedViewHandlers } from './views/savedViews.ts'
import { commandHandlers, commandType } from './work/commands/commands.ts'
import { runCommandHandlers } from './work/commands/runCommand.ts'
import { commandVersionType } from './work/commands/versions.ts'
import { planRevisionType } from './work/planRevisions.ts'
import { planHandlers, planType } from './work/plans.ts'
import { playPlanHandlers } from './work/playPlan.ts'
import { queuedFollowUpHandlers, queuedFollowUpType } from './work/queuedFollowUps.ts'
import { scheduleHandlers } from './work/schedules/schedules.ts'
import { scheduleFiringType, scheduleType } from './work/schedules/scheduleType.ts'
import { sessionHandlers, sessionType } from './work/sessions.ts'
import { skillAgentHandlers, skillAgentType } from './work/skills/skillAgents.ts'
import { skillHandlers, skillType } from './work/skills/skills.ts'
import { skillVersionHandlers, skillVersionTypes } from './work/skills/skillVersions.ts'
import { startWorkflowHandlers } from './work/workflows/startWorkflow.ts'
import { workflowVersionType } from './work/workflows/versions.ts'
import { workflowStepHandlers, workflowStepType } from './work/workflows/workflowSteps.ts'
import { workflowHandlers, workflowType } from './work/workflows/workflows.ts'
import { codebaseByPathHandlers } from './worktrees/codebaseByPath.ts'
import { codebaseReportHandlers } from './worktrees/codebaseReports.ts'
import { codebaseHandlers, codebaseType } from './worktrees/codebases.ts'
import { blockedByType, queueEntryType, queuePauseType, slotHolderType } from './worktrees/queueEntryTypes.ts'
import { repositoryHandlers, repositoryType } from './worktrees/repositories.ts'
import { preparationsType, repositoryPreparationHandlers } from './worktrees/repositoryPreparations.ts'
import { worktreeQueueHandlers, worktreeQueueType } from './worktrees/worktreeQueue.ts'
import { worktreeHandlers, worktreeType } from './worktrees/worktrees.ts'

export const operations: readonly Operation[] = Object.freeze([
  ...viewerHandlers,
  ...actionCenterHandlers,
  ...seenMarkHandlers,
  ...installationHandlers,
  ...agentHandlers,
  ...agentLoadHandlers,
  ...agentCliHandlers,
  ...enrollmentHandlers,
  ...agentSessionHandlers,
  ...jobObjectHandlers,
  ...jobHandlers,
  ...jobLogHandlers,
  ...codebaseHandlers,
  ...codebaseByPathHandlers,
  ...codebaseReportHandlers,
  ...worktreeHandlers,
  ...repositoryHandlers,
  ...repositoryPreparationHandlers,
  ...worktreeQueueHandlers,
  ...runHandlers,
  ...runRequestHandlers,
  ...createRunFollowUpHandlers,
  ...continueRunHandlers,
  ...retryRunHandlers,
  ...previewBulkRunActionHandlers,
  ...performBulkRunActionHandlers,
  ...runControlHandlers,
  ...runLogHandlers,
  ...runChangesHandlers,
  ...usageHandlers,
  ...insightsHandlers,
  ...planHandlers,
  ...playPlanHandlers,
  ...sessionHandlers,
  ...queuedFollowUpHandlers,
  ...workflowHandlers,
  ...startWorkflowHandlers,
  ...workflowStepHandlers,
  ...commandHandlers,
  ...runCommandHandlers,
  ...scheduleHandlers,
  ...skillHandlers,
  ...skillVersionHandlers,
  ...skillAgentHandlers,
  ...buildConfigurationHandlers,
  ...buildHandlers,
  ...startBuildHandlers,
  ...artifactHandlers,
  ...buildLogHandlers,
  ...buildProgressHandlers,
  ...deploymentObjectHandlers,
  ...destinationHandlers,
  ...runBuildHandlers,
  ...deploymentProgressHandlers,
  ...coverageHandlers,
  ...signingAssetHandlers,
  ...integrationHandlers,
  ...webhookDeliveryHandlers,
  ...pushBuildHandlers,
  ...notificationHandlers,
  ...pushDeviceHandlers,
  ...deviceHandlers,
  ...deviceEnrollmentHandlers,
  ...telemetryRecordHandlers,
  ...telemetryQueryHandlers,
  ...savedViewHandlers,
  ...telemetrySettingsHandlers,
  ...toolCallHandlers,
  ...presetHandlers,
  ...presetExportHandlers,
  ...presetImportHandlers,
  ...mcpServerHandlers,
  ...appHandlers,
  ...crashReportHandlers,
  ...crashGroupHandlers,
  ...dsymHandlers,
  ...dsymUploadHandlers,
  ...serverUrlHandlers,
  ...actorHandlers,
  ...machineHandlers,
  ...operatorActionHandlers,
  ...globalSearchHandlers,
] as readonly Operation[])

export const objectTypes: readonly CatalogType[] = Object.freeze([
  agentType,
  jobType,
  repositoryType,
  preparationsType,
  codebaseType,
  worktreeType,
  worktreeQueueType,
  queueEntryType,
  blockedByType,
  queuePauseType,
  slotHolderType,
  ...runTypes,
  runAttachmentType,
  planType,
  planRevisionType,
  sessionType,
  queuedFollowUpType,
  workflowType,
  workflowVersionType,
  workflowStepType,
  commandType,
  commandVersionType,
  scheduleType,
  scheduleFiringType,
  skillType,
  ...skillVersionTypes,
  skillAgentType,
  buildConfigurationType,
  buildConfigurationVersionType,
  buildType,
  buildCoverageType,
  artifactType,
  deploymentType,
  artifactTransferType,
  signingAssetType,
  deviceType,
  deviceEnrollmentType,
  mcpServerType,
  appType,
  crashReportType,
  crashThreadType,
  crashGroupType,
  toolGrantType,
  toolCallType,
  actorType,
  transitionType,
  dsymType,
  dsymUploadType,
  telemetryQueryType,
  integrationType,
  webhookDeliveryType,
  pushBuildType,
  userType,
  apiKeyType,
] as readonly CatalogType[])
