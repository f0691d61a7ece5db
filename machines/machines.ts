/** Every lifecycle there is, by kind. */
import type { ActorKind } from '../spec/ids.ts'
import { agent } from './agent.ts'
import { apiKey } from './apiKey.ts'
import { apnsDevice } from './apnsDevice.ts'
import { app } from './app.ts'
import { authCode } from './authCode.ts'
import { authSession } from './authSession.ts'
import { binaryImage } from './binaryImage.ts'
import { codebase } from './codebase.ts'
import { crash } from './crash.ts'
import type { Definition } from './define.ts'
import { device } from './device.ts'
import { deviceEnrollment } from './deviceEnrollment.ts'
import { dsym } from './dsym.ts'
import { enrollment } from './enrollment.ts'
import { integration } from './integration.ts'
import { job } from './job.ts'
import { mcpServer } from './mcpServer.ts'
import { mcpToolPreset } from './mcpToolPreset.ts'
import { notification } from './notification.ts'
import { notificationDevice } from './notificationDevice.ts'
import { plan } from './plan.ts'
import { presetImport } from './presetImport.ts'
import { registration } from './registration.ts'
import { repositoryPreparations } from './repositoryPreparations.ts'
import { run } from './run.ts'
import { session } from './session.ts'
import { telemetryQuery } from './telemetryQuery.ts'
import { telemetrySettings } from './telemetrySettings.ts'
import { toolGrant } from './toolGrant.ts'
import { user } from './user.ts'
import { webhookDelivery } from './webhookDelivery.ts'
import { workflow } from './workflow.ts'
import { worktree } from './worktree.ts'
import { worktreeQueue } from './worktreeQueue.ts'

export const machines: Readonly<Record<ActorKind, Definition>> = Object.freeze({
  user,
  authSession,
  authCode,
  apiKey,
  registration,
  enrollment,
  agent,
  job,
  codebase,
  worktree,
  worktreeQueue,
  run,
  plan,
  session,
  workflow,
  integration,
  webhookDelivery,
  apnsDevice,
  notificationDevice,
  notification,
  device,
  deviceEnrollment,
  telemetrySettings,
  telemetryQuery,
  toolGrant,
  mcpToolPreset,
  presetImport,
  mcpServer,
  app,
  crash,
  dsym,
  binaryImage,
  repositoryPreparations,
})
