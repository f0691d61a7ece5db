/** The values of the enums of deployments. The console lists them too: this file imports nothing, so its script contains no schemas. */

export const terminalDeploymentStatuses = ['SUCCEEDED', 'FAILED', 'CANCELED', 'LOST'] as const

export const deploymentStatuses = [
  'CREATED',
  'TRANSFERRING',
  'INSTALLING',
  'RUNNING',
  'INCIDENT',
  ...terminalDeploymentStatuses,
] as const

export const transferStatuses = [
  'CREATED',
  'UPLOADING',
  'READY',
  'DOWNLOADING',
  'COMPLETED',
  'FAILED',
  'EXPIRED',
] as const

export const destinationKinds = ['HOST', 'ANDROID_DEVICE', 'IOS_SIMULATOR', 'IOS_DEVICE', 'COMMAND'] as const

export type DeploymentStatus = (typeof deploymentStatuses)[number]
export type TransferStatus = (typeof transferStatuses)[number]
export type DestinationKind = (typeof destinationKinds)[number]
