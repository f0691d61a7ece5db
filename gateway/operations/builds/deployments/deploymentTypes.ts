import { artifactTransferSchema, deploymentSchema } from '../../../../spec/builds/deployments/deployments.ts'
import { requesterBy } from '../../accounts/requester.ts'
import type { ObjectType } from '../../objectType.ts'
import { deploymentObject, transferObject } from './deploymentObjects.ts'

export const deploymentType: ObjectType<'deployment', typeof deploymentSchema> = {
  name: 'Deployment',
  kind: 'deployment',
  schema: deploymentSchema,
  relations: {
    build: { type: 'one', target: 'Build', by: 'buildId', nullable: false, description: 'The build that is deployed.' },
    artifact: {
      type: 'one',
      target: 'BuildArtifact',
      by: 'artifactId',
      nullable: true,
      description: 'The file that is deployed. Null if there is none, or if it is removed.',
    },
    sourceAgent: {
      type: 'one',
      target: 'Agent',
      by: 'sourceAgentId',
      nullable: false,
      description: 'The agent that has built it.',
    },
    targetAgent: {
      type: 'one',
      target: 'Agent',
      by: 'targetAgentId',
      nullable: false,
      description: 'The agent that deploys it.',
    },
    transfer: {
      type: 'one',
      target: 'ArtifactTransfer',
      by: 'transferId',
      nullable: true,
      description:
        'The transfer of the file to its machine. Null if no file is deployed, or if the transfer is removed.',
    },
    job: { type: 'one', target: 'Job', by: 'jobId', nullable: true, description: 'The job that executes it.' },
    requestedBy: {
      ...requesterBy('requestedById'),
      description: 'The user, API key, run or schedule that requested the deployment. Null if the user was removed.',
    },
  },
  fromRow: deploymentObject,
}

export const artifactTransferType: ObjectType<'artifactTransfer', typeof artifactTransferSchema> = {
  name: 'ArtifactTransfer',
  kind: 'artifactTransfer',
  schema: artifactTransferSchema,
  relations: {
    deployment: {
      type: 'one',
      target: 'Deployment',
      by: 'deploymentId',
      nullable: false,
      description: 'The deployment that the file is for.',
    },
  },
  fromRow: transferObject,
}
