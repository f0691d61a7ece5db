/** All machines, by kind. */
import type { ActorKind } from '../spec/core/ids.ts'
import { apiKey } from './accounts/apiKey.ts'
import { authCode } from './accounts/authCode.ts'
import { authSession } from './accounts/authSession.ts'
import { registration } from './accounts/registration.ts'
import { user } from './accounts/user.ts'
import { agent } from './agents/agent.ts'
import { enrollment } from './agents/enrollment.ts'
import { job } from './agents/job.ts'
import { app } from './apps/app.ts'
import { binaryImage } from './apps/binaryImage.ts'
import { crashGroup } from './apps/crashGroup.ts'
import { crashReport } from './apps/crashReport.ts'
import { dsym } from './apps/dsym.ts'
import { dsymUpload } from './apps/dsymUpload.ts'
import { build } from './builds/build.ts'
import { buildArtifact } from './builds/buildArtifact.ts'
import { buildConfiguration } from './builds/buildConfiguration.ts'
import { artifactTransfer } from './builds/deployments/artifactTransfer.ts'
import { deployment } from './builds/deployments/deployment.ts'
import { serverUrlSettings } from './builds/serverUrlSettings.ts'
import { signingAsset } from './builds/signing/signingAsset.ts'
import { upload } from './builds/upload.ts'
import { apnsDevice } from './devices/apnsDevice.ts'
import { device } from './devices/device.ts'
import { deviceEnrollment } from './devices/deviceEnrollment.ts'
import { news } from './devices/news.ts'
import { notification } from './devices/notification.ts'
import { notificationDevice } from './devices/notificationDevice.ts'
import { readMarks } from './devices/readMarks.ts'
import type { Definition } from './framework/define.ts'
import { integration } from './hosts/integration.ts'
import { pushBuild } from './hosts/pushBuild.ts'
import { webhookDelivery } from './hosts/webhookDelivery.ts'
import { seenMarks } from './operators/seenMarks.ts'
import { bulkRunAction } from './runs/bulkRunAction.ts'
import { run } from './runs/run.ts'
import { runAttachment } from './runs/runAttachment.ts'
import { telemetryQuery } from './telemetry/telemetryQuery.ts'
import { telemetrySettings } from './telemetry/telemetrySettings.ts'
import { mcpServer } from './tools/mcpServer.ts'
import { mcpToolPreset } from './tools/mcpToolPreset.ts'
import { presetImport } from './tools/presetImport.ts'
import { toolGrant } from './tools/toolGrant.ts'
import { savedView } from './views/savedView.ts'
import { command } from './work/command.ts'
import { plan } from './work/plan.ts'
import { schedule } from './work/schedule.ts'
import { session } from './work/session.ts'
import { skill } from './work/skill.ts'
import { skillContent } from './work/skillContent.ts'
import { workflowExecution } from './work/steps/workflowExecution.ts'
import { workflowStep } from './work/steps/workflowStep.ts'
import { workflow } from './work/workflow.ts'
import { codebase } from './worktrees/codebase.ts'
import { diffImage } from './worktrees/diffImage.ts'
import { repository } from './worktrees/repository.ts'
import { worktree } from './worktrees/worktree.ts'
import { worktreeQueue } from './worktrees/worktreeQueue.ts'

export const machines = Object.freeze({
  user,
  authSession,
  authCode,
  apiKey,
  registration,
  enrollment,
  agent,
  job,
  repository,
  codebase,
  worktree,
  worktreeQueue,
  diffImage,
  run,
  bulkRunAction,
  runAttachment,
  plan,
  session,
  workflow,
  workflowExecution,
  workflowStep,
  command,
  schedule,
  skill,
  skillContent,
  buildConfiguration,
  build,
  buildArtifact,
  deployment,
  artifactTransfer,
  signingAsset,
  integration,
  webhookDelivery,
  pushBuild,
  apnsDevice,
  notificationDevice,
  notification,
  news,
  readMarks,
  device,
  deviceEnrollment,
  seenMarks,
  savedView,
  telemetrySettings,
  telemetryQuery,
  toolGrant,
  mcpToolPreset,
  presetImport,
  mcpServer,
  app,
  crashReport,
  crashGroup,
  dsym,
  binaryImage,
  upload,
  dsymUpload,
  serverUrlSettings,
}) satisfies Readonly<Record<ActorKind, Definition>>
